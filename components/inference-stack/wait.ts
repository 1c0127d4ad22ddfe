import type * as pulumi from '@pulumi/pulumi';
import { setTimeout } from 'node:timers/promises';
import type { InferenceStack } from '../../packages/api/types.ts';
import { connectAs } from './connect.ts';
import { untilReady, type WaitedFor } from './until-ready.ts';

/** How often a stack that is not ready is looked at. */
const EVERY_MS = 2_000;

export interface Wait {
  readonly provider: pulumi.ProviderResource | undefined;
  readonly minutes: number;
  readonly say: (line: string) => void;
}

/** Waits for a stack in the cluster that the provider has applied it to. */
export async function waitFor(ref: WaitedFor, { provider, minutes, say }: Wait): Promise<InferenceStack> {
  const cluster = await connectAs(provider);
  try {
    const pause = (): Promise<void> => setTimeout(EVERY_MS);
    return await untilReady(ref, { cluster, say, now: Date.now, pause, limitMs: minutes * 60_000 });
  } finally {
    cluster.close();
  }
}
