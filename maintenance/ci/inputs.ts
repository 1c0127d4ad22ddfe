import { type Problem, refuse } from '../../packages/lib/problem.ts';
import type { Step } from './main.ts';

/** What people type into the form of a workflow. Later steps hand it to make and to shells, which would run what is in it. */
const INPUTS: Readonly<Record<string, { readonly form: RegExp; readonly message: string; readonly remedy: string }>> = {
  VERSION: {
    form: /^v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/,
    message: 'is not a version',
    remedy: 'Use a version such as v1.2.3.',
  },
  CHANNEL: {
    form: /^(?:candidate|fast|stable)$/,
    message: 'is not a stream of the catalog',
    remedy: 'Use candidate, fast or stable.',
  },
  REASON: {
    form: /^[^\p{Cc}]{1,200}$/u,
    message: 'is not one line of at most 200 characters',
    remedy: 'Say in one line what is wrong with the version.',
  },
};

export const inputs: Step = async (env) => {
  const given = Object.entries(INPUTS).filter(([name]) => env[name] !== undefined);
  const problems = given.flatMap(([path, { form, message, remedy }]): Problem[] => {
    const value = env[path] ?? '';
    return form.test(value) ? [] : [{ path, value, message, remedy }];
  });
  refuse(problems);
  return Promise.resolve();
};
