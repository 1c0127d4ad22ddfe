import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Step } from './main.ts';
import { needed } from './needed.ts';

/** Writes the key pair of cosign for this user alone, and names it to the steps that follow. */
export const signingKey: Step = async (env) => {
  const { PRIVATE_KEY, PUBLIC_KEY, RUNNER_TEMP, GITHUB_ENV } = needed(
    env,
    ...(['PRIVATE_KEY', 'PUBLIC_KEY', 'RUNNER_TEMP', 'GITHUB_ENV'] as const),
  );
  const file = join(RUNNER_TEMP, 'cosign.key');
  await writeFile(file, PRIVATE_KEY, { mode: 0o600 });
  await writeFile(join(RUNNER_TEMP, 'cosign.pub'), PUBLIC_KEY);
  await appendFile(GITHUB_ENV, `COSIGN_KEY=${file}\n`);
};
