import type * as pulumi from '@pulumi/pulumi';
import type { Cluster } from '../../components/waits/explain.ts';
import type { Target } from '../../components/waits/target.ts';
import { Watcher } from '../../components/waits/watcher.ts';

/** Something that the program waits for. */
export interface Wait {
  readonly targets: readonly Target[];
  /** Known when the wait begins: what is in the cluster before may be about to be replaced. */
  readonly from: pulumi.Output<unknown>;
  /** Known when it is over. */
  readonly until: pulumi.Output<unknown>;
}

export interface WatchOptions {
  readonly cluster: Cluster;
  readonly warn: (message: string) => void;
  /** Called when nothing is waited for any more. */
  readonly onEnd: () => void;
}

/** Together with the time that a symptom has to last, a reason is reported half a minute after it appears. */
const EVERY_MS = 5_000;

/**
 * Looks at what the program waits for while Pulumi's provider waits, and says why it does not become ready. The
 * provider cannot be made to give up. A failure ends the program and with it this watch, which keeps nothing alive.
 */
export function watchWaits(waits: readonly Wait[], { cluster, warn, onEnd }: WatchOptions): void {
  const watcher = new Watcher({ cluster, say: warn, now: Date.now });
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void watcher.look().finally(() => (looking = false));
  }, EVERY_MS).unref();
  const end = (): void => {
    clearInterval(timer);
    onEnd();
  };
  follow(waits, watcher, end);
}

/** Has the watcher look at each thing from the beginning to the end of its wait. */
export function follow(waits: readonly Wait[], watcher: Pick<Watcher, 'add' | 'remove'>, onEnd: () => void): void {
  let left = waits.length;
  if (left === 0) onEnd();
  for (const { targets, from, until } of waits) {
    let over = false;
    from.apply(() => {
      if (!over) for (const target of targets) watcher.add(target);
    });
    until.apply(() => {
      over = true;
      for (const target of targets) watcher.remove(target);
      left -= 1;
      if (left === 0) onEnd();
    });
  }
}
