import { ProblemsError } from '../../packages/lib/problem.ts';
import { CommandError } from '../../packages/lib/command.ts';
import { MIRRORED, MIRRORED_OLDEST } from './images.ts';
import { updateMirror } from './mirror.ts';

// `--oldest-olm` adds the images of the oldest OLM that is supported; its programs have to exist.
const names = process.argv.includes('--oldest-olm') ? [...MIRRORED, ...MIRRORED_OLDEST] : MIRRORED;

try {
  await updateMirror(undefined, names);
} catch (error) {
  console.error(error instanceof ProblemsError || error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
}
