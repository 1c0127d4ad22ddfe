import { ProblemsError } from '../../packages/lib/problem.ts';

/** In place of the work of commands that build, release or run what a checkout describes. */
export function run(): Promise<number> {
  const remedy = 'Clone the project, and run its own fleet there; CONTRIBUTING.md says how to set it up.';
  const message = 'needs a checkout of the project, and this fleet was installed by itself';
  return Promise.reject(new ProblemsError([{ path: 'this command', message, remedy }]));
}
