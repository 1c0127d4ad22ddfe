import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAnswer, type Answer } from '../../../../cli/demo/answer.ts';
import { demoStack } from '../../../../cli/demo/demo-stack.ts';
import { mirroredImages } from '../../../../cluster/mirror/mirror.ts';
import type { Image } from '../../../../packages/api/pod.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import type { TestCluster } from '../../../support/embedded/test-cluster.ts';
import { eventually } from '../../../support/machine/eventually.ts';

const FILE = 'examples/llamacpp/stack.yaml';
const MODEL = 'smollm2';

/** The stack of `make up`, for a cluster without GPUs: its images by digest, served by operators of major 3. */
export function answeringStack(cluster: TestCluster): string {
  const { onwards, 'llama-cpp': llamaCpp } = mirroredImages(cluster.layout);
  const images = { gateway: byDigest(onwards), application: byDigest(llamaCpp) };
  const stack = demoStack(readFileSync(join(checkout, FILE), 'utf8'), FILE, images);
  const { metadata } = stack;
  return JSON.stringify({
    ...stack,
    metadata: { ...metadata, labels: { ...metadata.labels, operatorVersion: 'v3' } },
  });
}

/** Asks the model behind the gateway of that stack. The gateway knows an engine a moment after its pod is ready. */
export async function ask(address: string): Promise<Answer> {
  const messages = [{ role: 'user', content: 'What is the capital of France? Answer in one sentence.' }];
  const body = JSON.stringify({ model: MODEL, temperature: 0, messages });
  return eventually(async () => {
    const asked = Date.now();
    const answer = await fetch(`http://${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(20_000),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return readAnswer(await answer.json(), (Date.now() - asked) / 1000);
  }, 120_000);
}

function byDigest(image: string | undefined): Image {
  const [repository, digest] = image?.split('@') ?? [];
  if (repository !== undefined && digest !== undefined) return { repository, digest };
  throw new Error('The cluster has no model: `make tools PROGRAMS=serving` says what is missing.');
}
