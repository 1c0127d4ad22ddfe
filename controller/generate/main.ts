import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { absolutePath, generatedFiles } from './outputs.ts';

for (const [path, text] of await generatedFiles()) {
  const file = absolutePath(path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
