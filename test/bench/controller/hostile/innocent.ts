import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface InnocentFigures {
  /** The longest that a change of an innocent stack took until the operator had reported it. */
  readonly innocentMs: number;
  /** The longest that as many small writes took which no operator has to do with. */
  readonly controlMs: number;
  /** The longest by which a change took longer than such writes at the same time. */
  readonly beyondMs: number;
  readonly changes: number;
}

/** Lets somebody else change a stack again and again, in a process that has nothing else to do: what others send must not delay its clock. */
export async function startInnocent(kubeconfig: string): Promise<{ end(): Promise<InnocentFigures> }> {
  const child = fork(fileURLToPath(new URL('innocent-main.ts', import.meta.url)), [kubeconfig]);
  await once(child, 'message');
  return {
    async end() {
      const answer = once(child, 'message') as Promise<[InnocentFigures]>;
      child.send('end');
      const [figures] = await answer;
      return figures;
    },
  };
}
