import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { OWNED_KINDS, STACK_TYPES } from '../../../../packages/api/kinds.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { pathOf } from '../../../../packages/kube/client/client.ts';
import { served } from '../../../support/operator/impact-cluster.ts';
import { stackWith } from '../../../support/people/stacks.ts';

/** The name of a stack. That of the first stands in all of its objects for those of the others, and in nothing that is hashed. */
const stackName = (index: number): string => `stack-${String(index)}`;
const NAME = stackName(0);

/** A stack with so many applications. */
function stackOf(applications: number): InferenceStack {
  const names = Array.from({ length: applications }, (_, index) => `llm-${String(index)}`);
  const application = { engine: 'vllm', model: { name: 'org/model' } } as const;
  return stackWith({ applications: Object.fromEntries(names.map((name) => [name, application])) }, NAME);
}

/**
 * An API server that has so many stacks and what an operator made for them, and answers at once: what is measured is who asks. Every stack is a
 * copy of the first one under another name.
 */
export async function startCannedApi(
  stacks: number,
  applications: number,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const byKind = Map.groupBy(served(stackOf(applications)), ({ kind }) => kind);
  const types = [...OWNED_KINDS.map(({ type }) => type), ...STACK_TYPES];
  const texts = new Map(
    types.map((type) => [pathOf(type), (byKind.get(type.kind) ?? []).map((each) => JSON.stringify(each))]),
  );
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api');
    const objects = texts.get(pathname);
    if (objects === undefined) return void response.writeHead(404).end();
    const perStack = Math.max(1, objects.length);
    const from = Number(searchParams.get('continue') ?? 0);
    const to = Math.min(stacks, from + Math.ceil(Number(searchParams.get('limit') ?? 500) / perStack));
    response.write(
      `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1","continue":"${to < stacks ? String(to) : ''}"},"items":[`,
    );
    for (let index = from; index < to && objects.length > 0; index += 1) {
      const items = objects.map((text) => text.replaceAll(NAME, stackName(index))).join();
      response.write(`${index === from ? '' : ','}${items}`);
    }
    response.end(']}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close };
}
