import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Application, InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { eventually } from '../../../../support/machine/eventually.ts';
import { ask, type Answers } from '../../../../support/serving/clients.ts';
import { Onwards } from '../../../../support/serving/onwards.ts';
import { renderedGateway, type Addresses } from '../../../../support/serving/rendered-gateway.ts';

/** How many ask at the same time. */
export const CLIENTS = [1, 2, 5, 20] as const;

/** How often the table changes while clients ask. */
const RELOADS = 10;

export interface Case {
  /** Of the main application and of the canary. */
  readonly weights: readonly [number, number];
  /** How long each takes for a request. */
  readonly milliseconds: readonly [number, number];
}

export interface Figures extends Case {
  /** What the canary got, as a part of 1, for each number of clients. */
  readonly shares: readonly number[];
  /** The same after the table has been loaded again. */
  readonly sharesAfterReloads: readonly number[];
  readonly asked: number;
  readonly failures: readonly string[];
}

/** Lets clients ask two applications under one alias, before and after the table is loaded again under load. */
export async function measure({ weights, milliseconds }: Case, requests: number): Promise<Figures> {
  const processes = [startEngine('main', milliseconds[0]), startEngine('canary', milliseconds[1])] as const;
  try {
    const [main, canary] = await Promise.all(processes.map(addressOf));
    const addresses = { main: main ?? '', canary: canary ?? '' };
    const onwards = await Onwards.start(renderedGateway(specWith(weights), addresses));
    try {
      const { url } = onwards;
      const all: Answers[] = [];
      const shares = async (): Promise<number[]> => {
        const parts: number[] = [];
        for (const clients of CLIENTS) {
          const answers = await ask({ url, model: 'model', clients, requests });
          all.push(answers);
          parts.push((answers.by['canary'] ?? 0) / requests);
        }
        return parts;
      };
      const before = await shares();
      all.push(await reloadUnderLoad(onwards, weights, addresses));
      const after = await shares();
      return {
        weights,
        milliseconds,
        shares: before,
        sharesAfterReloads: after,
        asked: all.reduce((sum, { asked }) => sum + asked, 0),
        failures: all.flatMap(({ failures }) => failures),
      };
    } finally {
      await onwards.stop();
    }
  } finally {
    for (const process of processes) process.disconnect();
  }
}

async function reloadUnderLoad(onwards: Onwards, weights: Case['weights'], addresses: Addresses): Promise<Answers> {
  const end = new AbortController();
  const load = ask({ url: onwards.url, model: 'model', clients: Math.max(...CLIENTS), signal: end.signal });
  for (let reload = 1; reload <= RELOADS; reload += 1) {
    // Another alias, by which one sees that the table has been loaded.
    const alias = `reload-${reload}`;
    onwards.write(renderedGateway(specWith(weights, alias), addresses).table);
    await eventually(async () => {
      if (!(await onwards.aliases()).includes(alias)) throw new Error('the table was not loaded');
    });
  }
  end.abort();
  return load;
}

function specWith([main, canary]: Case['weights'], ...more: readonly string[]): InferenceStackSpec {
  const application = (weight: number): Application => ({ engine: 'vllm', aliases: ['model', ...more], weight });
  return { applications: { main: application(main), canary: application(canary) } };
}

function startEngine(name: string, milliseconds: number): ChildProcess {
  return fork(fileURLToPath(new URL('engine.ts', import.meta.url)), [name, String(milliseconds)]);
}

async function addressOf(process: ChildProcess): Promise<string> {
  const [address] = (await once(process, 'message')) as [string];
  return address;
}
