import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';

/** What a step of a workflow gets: variables, and nothing that a shell or make has read before. */
export type Step = (env: Readonly<Record<string, string | undefined>>) => Promise<void>;

const STEPS: Readonly<Record<string, () => Promise<Step>>> = {
  comment: async () => (await import('./comment.ts')).comment,
  downstream: async () => (await import('./downstream/downstream.ts')).downstream,
  inputs: async () => (await import('./inputs.ts')).inputs,
  kubeconfig: async () => (await import('./kubeconfig.ts')).kubeconfig,
  login: async () => (await import('./login.ts')).login,
  plugins: async () => (await import('./plugins.ts')).plugins,
  'signing-key': async () => (await import('./signing-key.ts')).signingKey,
  tag: async () => (await import('./tag.ts')).tag,
  propose: async () => (await import('./propose.ts')).propose,
};

const [name = ''] = process.argv.slice(2);
try {
  const step = STEPS[name];
  if (step === undefined) throw new Error(`There is no step '${name}'. There are: ${Object.keys(STEPS).join(', ')}.`);
  await (
    await step()
  )(process.env);
} catch (error) {
  console.error(error instanceof ProblemsError ? error.message : messageOf(error));
  process.exitCode = 1;
}
