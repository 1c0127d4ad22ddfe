import * as pulumi from '@pulumi/pulumi';
import { setTimeout } from 'node:timers/promises';
import type { PlannedOperator } from '../../components/fleet/plan.ts';
import { ROLLOUT_MINUTES } from '../../components/waits/rollout.ts';
import { untilRolledOut } from '../../components/waits/until-rolled-out.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import type { ClusterReference } from '../../packages/kube/kubectl.ts';
import { connect } from '../cluster/connect.ts';
import { operatorDeployments, operatorTarget, programWaits, type Progress } from './program-waits.ts';
import { watchWaits } from './watch-waits.ts';

/** OLM counts an extension as installed when its objects are applied. Its operator runs a little later, or never. */
const PATIENCE = {
  now: Date.now,
  pause: () => setTimeout(1000),
  /** As long as what the provider waits for. */
  limitMs: ROLLOUT_MINUTES * 60_000,
};

/** What an update waits for. It says why a wait takes long, and also waits for what Pulumi itself does not. */
export class Waits {
  readonly #client: Client;
  readonly #warn: (message: string) => void;

  private constructor(client: Client, warn: (message: string) => void) {
    this.#client = client;
    this.#warn = warn;
  }

  static async open(cluster: ClusterReference, warn: (message: string) => void): Promise<Waits> {
    return new Waits(await connect(cluster), warn);
  }

  /** Says why something does not become ready, during the whole update. The result is known when the operators run. */
  watch(progress: Omit<Progress, 'running'>): pulumi.Output<unknown> {
    const { operators, deployed } = progress;
    const running = (deployed?.installed ?? pulumi.output(true)).apply(() => this.#operatorsRun(operators));
    const onEnd = (): void => this.#client.close();
    watchWaits(programWaits({ ...progress, running }), { cluster: this.#client, warn: this.#warn, onEnd });
    return running;
  }

  async #operatorsRun(operators: readonly PlannedOperator[]): Promise<void> {
    const outcomes = operators
      .flatMap(operatorDeployments)
      .map((ref) => untilRolledOut(ref, operatorTarget(ref), this.#client, PATIENCE));
    const problems = (await Promise.all(outcomes)).filter((problem) => problem !== undefined);
    if (problems.length > 0) throw new pulumi.RunError(new ProblemsError(problems).message);
  }
}
