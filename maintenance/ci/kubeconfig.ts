import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needed } from './needed.ts';
import type { Step } from './main.ts';

/** Writes the kubeconfig for this user alone, and names it to the steps that follow. */
export const kubeconfig: Step = async (env) => {
  const { CONTENT, RUNNER_TEMP, GITHUB_ENV } = needed(env, 'CONTENT', 'RUNNER_TEMP', 'GITHUB_ENV');
  const file = join(RUNNER_TEMP, 'kubeconfig');
  await writeFile(file, CONTENT, { mode: 0o600 });
  await appendFile(GITHUB_ENV, `KUBECONFIG=${file}\n`);
};
