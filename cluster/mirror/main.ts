import { ProblemsError } from '../../controller/src/problem.ts';
import { CommandError } from '../../components/process/command.ts';
import { updateMirror } from './mirror.ts';

try {
  await updateMirror();
} catch (error) {
  console.error(error instanceof ProblemsError || error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
}
