import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf } from './stack-file.ts';

/**
 * Copies the project file and a stack's configuration into a folder, and returns the path of the configuration there. Pulumi
 * writes into the stack file that it is given by what secrets are encrypted, even for a preview: the committed file would
 * change on every machine that looks at the stack, and would refuse the passphrases of all others.
 */
export function privateProject(directory: string, checkout: string, stack: string, configuration: string): string {
  copyFileSync(join(checkout, 'Pulumi.yaml'), join(directory, 'Pulumi.yaml'));
  const file = join(directory, `Pulumi.${nameOf(stack)}.yaml`);
  writeFileSync(file, configuration, { mode: 0o600 });
  return file;
}
