import { ProblemsError } from '../../controller/src/problem.ts';
import { CommandError } from '../../components/process/command.ts';
import { formatSeconds } from '../progress.ts';
import { updateMirror } from './mirror.ts';

try {
  const before = Date.now();
  const updated = await updateMirror();
  const seconds = formatSeconds((Date.now() - before) / 1000);
  console.log(updated.length === 0 ? `Images are current (${seconds}).` : `Pushed ${updated.join(', ')} (${seconds}).`);
} catch (error) {
  console.error(error instanceof ProblemsError || error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
}
