import { run } from '../../packages/lib/command.ts';
import type { Step } from './main.ts';
import { needed } from './needed.ts';

/** Logs in to the registry. The password is in no command line. */
export const login: Step = async (env) => {
  const { REGISTRY, REGISTRY_USER, REGISTRY_PASSWORD } = needed(env, 'REGISTRY', 'REGISTRY_USER', 'REGISTRY_PASSWORD');
  await run('docker', ['login', REGISTRY, '--username', REGISTRY_USER, '--password-stdin'], {
    input: REGISTRY_PASSWORD,
  });
  console.log(`Logged in to ${REGISTRY} as ${REGISTRY_USER}.`);
};
