import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentFileName } from '../../infra/config/project.ts';

/**
 * Copies the project file and an environment's configuration into a folder, and returns the path of the configuration there. Even
 * for a preview Pulumi writes the encryption of secrets into the file that it is given: the committed file would change on every
 * machine that looks at the environment, and would refuse everybody else's passphrase.
 */
export function privateProject(
  directory: string,
  checkout: string,
  environment: string,
  configuration: string,
): string {
  copyFileSync(join(checkout, 'Pulumi.yaml'), join(directory, 'Pulumi.yaml'));
  const file = join(directory, environmentFileName(environment));
  writeFileSync(file, configuration, { mode: 0o600 });
  return file;
}
