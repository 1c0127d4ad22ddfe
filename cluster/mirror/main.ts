import { ProblemsError } from '../../packages/lib/problem.ts';
import { CommandError } from '../../packages/lib/command.ts';
import { MIRRORED, MIRRORED_OLDEST, MIRRORED_SERVING, possibleImages } from './images.ts';
import { updateMirror } from './mirror.ts';

// `--oldest-olm` adds the images of the oldest OLM that is supported; its programs have to exist.
const oldest = process.argv.includes('--oldest-olm') ? MIRRORED_OLDEST : [];
const names = [...MIRRORED, ...possibleImages(MIRRORED_SERVING), ...oldest];

try {
  await updateMirror(undefined, names);
} catch (error) {
  console.error(error instanceof ProblemsError || error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
}
