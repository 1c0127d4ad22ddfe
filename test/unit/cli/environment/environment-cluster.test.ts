import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEmbeddedCluster } from '../../../../cluster/embedded-cluster.ts';
import { describeKept } from '../../../../cli/commands/down.ts';
import { refuseAbsent, refusePresent, type Asking } from '../../../../cli/environment/environment-cluster.ts';

/** An environment of the local cluster, and one of any other. */
const EMBEDDED = { embedded: true };
const PRODUCTION = { embedded: false, kubeContext: 'production' };

describe('the cluster of an environment that is taken down', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'environment-cluster-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const asking = (running: boolean, silence?: string): Asking => ({
    embedded: (env) => {
      const { stopped, ...embedded } = describeEmbeddedCluster(env);
      return { ...embedded, stopped: running ? undefined : stopped };
    },
    silence: () => Promise.resolve(silence),
  });
  const dev = (env: Record<string, string> = {}): Parameters<typeof refuseAbsent>[0] => ({
    environment: 'dev',
    file: EMBEDDED,
    env: { CLUSTER_STATE: directory, ...env },
  });
  const prod = { environment: 'prod', file: PRODUCTION, env: {} };
  const madeOnce = (): void => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'cluster.json'), '{}');
  };

  it('has to run', async () => {
    madeOnce();
    await refuseAbsent(dev(), asking(true));
    await assert.rejects(refuseAbsent(dev(), asking(false)), {
      message: 'embedded cluster: fleet: is stopped. Start it with: make cluster-up',
    });
  });

  it('has to exist: what is known of a deleted one was deleted with it, or can be forgotten', async () => {
    await assert.rejects(refuseAbsent(dev(), asking(false)), {
      message:
        'embedded cluster: fleet: does not exist. The state of the environment was deleted with it, so there is nothing to take down.',
    });
    await assert.rejects(refuseAbsent(dev({ PULUMI_BACKEND_URL: 's3://state' }), asking(false)), {
      message: `embedded cluster: fleet: does not exist. If it was deleted, remove the environment's state with: make forget ENV=dev`,
    });
  });

  it('has to answer', async () => {
    await refuseAbsent(prod, asking(false));
    await assert.rejects(refuseAbsent(prod, asking(false, 'connect ECONNREFUSED')), {
      message: `environment prod: kubeContext: cannot be reached: connect ECONNREFUSED (got "production"). If the cluster is gone for good, remove the environment's state with: make forget ENV=prod`,
    });
  });

  it('is never the one of the current context', async () => {
    const nameless = { ...prod, file: { embedded: false } };
    await assert.rejects(refuseAbsent(nameless, asking(false)), /the environment names no context/);
  });

  it('is forgotten only when it is gone', async () => {
    await refusePresent(dev(), asking(false));
    await refusePresent(prod, asking(false, 'connect ECONNREFUSED'));
    madeOnce();
    await assert.rejects(refusePresent(dev(), asking(false)), {
      message:
        'environment dev: cluster: is still there, and what is installed in it would be forgotten (got "embedded"). Take the environment down with `make down ENV=dev`, or delete the cluster with `make cluster-delete`.',
    });
    await assert.rejects(refusePresent(prod, asking(false)), /kubeContext: is still there.*`make down ENV=prod`\.$/);
  });

  it('is named by the commands that would remove what is kept, which say what goes with it', () => {
    const kubectl = `kubectl --kubeconfig=${directory}/kubeconfig --context=fleet`;
    const definition = 'inferencestacks.models.titanml.co';
    const kept = describeKept(dev());
    assert.match(kept, /deletes every InferenceStack of every team/);
    const commands = [
      `  ${kubectl} delete crd ${definition}\n`,
      `  ${kubectl} delete clusterrole ${definition}-view ${definition}-edit\n`,
    ];
    assert.ok(kept.endsWith(commands.join('')), kept);
    assert.match(describeKept(prod), /\n {2}kubectl --context=production delete crd /);
  });
});
