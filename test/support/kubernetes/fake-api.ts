import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The answer of a path: text, an object that becomes JSON, or the status code of a refusal. */
export type Answers = Readonly<Record<string, string | object | number>>;

/** Provides the kubeconfig of an API server that knows only these paths, for tests that do not need a real one. */
export async function withFakeApi<T>(answers: Answers, work: (kubeconfig: string) => Promise<T>): Promise<T> {
  const server = http.createServer((request, response) => {
    const answer = answers[new URL(request.url ?? '', 'http://api').pathname];
    if (typeof answer === 'string') return void response.end(answer);
    const code = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200;
    const body = typeof answer === 'object' ? answer : { kind: 'Status', code, message: `answered ${code}` };
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const directory = await mkdtemp(join(tmpdir(), 'fake-api-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await writeFile(kubeconfig, JSON.stringify(configuration(address)));
    return await work(kubeconfig);
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  }
}

/** A list as the API server answers it. */
export function listOf(...items: readonly object[]): object {
  return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items };
}

function configuration(server: string): object {
  return {
    'current-context': 'fake',
    contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
    clusters: [{ name: 'fake', cluster: { server } }],
    users: [{ name: 'fake', user: {} }],
  };
}
