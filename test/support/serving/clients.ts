import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../../packages/lib/error.ts';
import { textAt } from '../../../packages/lib/json.ts';

export interface Load {
  readonly url: string;
  readonly model: string;
  /** How many ask at the same time, each one request after the other. */
  readonly clients: number;
  /** How many requests there are in all. Without it, they go on until the signal. */
  readonly requests?: number;
  readonly signal?: AbortSignal;
}

/** What clients have got so far. */
export interface Answers {
  asked: number;
  /** How many answers came from each engine. */
  readonly by: Record<string, number>;
  /** What clients got instead of an answer. */
  readonly failures: string[];
}

/** Lets clients ask a gateway, and counts who answered. */
export async function ask({ url, model, clients, requests = Infinity, signal }: Load): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  const by: Record<string, number> = {};
  const failures: string[] = [];
  let asked = 0;
  const client = async (): Promise<void> => {
    while (asked < requests && signal?.aborted !== true) {
      asked += 1;
      try {
        const name = textAt(JSON.parse(await post(`${url}/v1/chat/completions`, body, agent)), 'system_fingerprint');
        by[name] = (by[name] ?? 0) + 1;
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return { asked, by, failures };
}

/** Without fetch, which takes more of the processor than the gateway that is measured. */
async function post(url: string, body: string, agent: Agent): Promise<string> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent }, (response) => {
      text(response).then((answer) => {
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${String(response.statusCode)} ${answer}`));
      }, reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
