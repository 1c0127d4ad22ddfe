import type { InferenceStackSpec } from '../../../packages/api/types.ts';
import { Onwards } from './onwards.ts';
import { renderedGateway, type RenderedGateway } from './rendered-gateway.ts';
import { StandInEngine, type Work } from './stand-in-engine.ts';

/** The real gateway of a stack, in front of engines that stand in for those of its applications. */
export class StandInStack {
  readonly onwards: Onwards;
  readonly #engines: ReadonlyMap<string, StandInEngine>;

  private constructor(onwards: Onwards, engines: ReadonlyMap<string, StandInEngine>) {
    this.onwards = onwards;
    this.#engines = engines;
  }

  static async start(spec: InferenceStackSpec, work?: Work): Promise<StandInStack> {
    const names = Object.keys(spec.applications ?? {});
    const engines = new Map(names.map((name) => [name, new StandInEngine(name, work)]));
    for (const engine of engines.values()) await engine.start();
    return new StandInStack(await Onwards.start(renderedGateway(spec, addressesOf(engines))), engines);
  }

  engine(name: string): StandInEngine {
    const engine = this.#engines.get(name);
    if (engine === undefined) throw new Error(`there is no application ${name}`);
    return engine;
  }

  /** What another spec with the same applications would get. */
  rendered(spec: InferenceStackSpec): RenderedGateway {
    return renderedGateway(spec, addressesOf(this.#engines));
  }

  async stop(): Promise<void> {
    await this.onwards.stop();
    for (const engine of this.#engines.values()) await engine.stop();
  }
}

function addressesOf(engines: ReadonlyMap<string, StandInEngine>): Record<string, string> {
  return Object.fromEntries([...engines].map(([name, { address }]) => [name, address]));
}
