import { readFile } from 'node:fs/promises';
import type { EmbeddedImages } from '../../cluster/embedded-cluster.ts';
import { codeOf } from '../../packages/lib/error.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import type { Settings } from '../config/schema.ts';
import { settingPath } from '../config/setting-path.ts';

/** The cluster that an environment is for. Nothing else in this program knows where a cluster comes from. */
export interface ClusterDescription {
  /** Path of the kubeconfig; undefined to use KUBECONFIG. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /**
   * Names the cluster for the provider: a moved kubeconfig does not make it another cluster. Another name does: Pulumi would replace the
   * provider and everything in the cluster.
   */
  readonly identity: string;
  /** Where built images go. */
  readonly repository: string | undefined;
  /** PEM of the authority to trust for the registry. */
  readonly registryCa: string | undefined;
  /** The instance of buildx that images are built with. */
  readonly buildxInstance: string | undefined;
  /** Images that the cluster itself has, used where the settings name none. */
  readonly images: EmbeddedImages;
  /** Why the cluster cannot be asked now, where that is known without asking. */
  readonly stopped: Problem | undefined;
  /** What to report if the cluster does not answer. */
  readonly unreachable: Pick<Problem, 'path' | 'value' | 'remedy'>;
}

/** The cluster that the settings name. What they say about its registry takes precedence. */
export async function describeCluster(settings: Settings, checkout: string): Promise<ClusterDescription> {
  const ca = settings.registryCa === undefined ? undefined : await readCa(settingPath(checkout, settings.registryCa));
  const cluster = settings.cluster === 'embedded' ? await embedded() : external(settings, checkout);
  return {
    ...cluster,
    repository: settings.images.repository ?? cluster.repository,
    registryCa: ca ?? cluster.registryCa,
  };
}

/** Other environments need nothing of the embedded cluster, and do not load it. */
async function embedded(): Promise<ClusterDescription> {
  const { describeEmbeddedCluster } = await import('../../cluster/embedded-cluster.ts');
  const { registry, authority, ...cluster } = describeEmbeddedCluster();
  const unreachable = { path: 'cluster', value: cluster.context, remedy: 'Start it with `make cluster-up`.' };
  return { ...cluster, identity: 'embedded', repository: registry, registryCa: authority, unreachable };
}

function external({ kubeconfig, kubeContext }: Settings, checkout: string): ClusterDescription {
  return {
    // Pulumi runs the program in a directory other than that of the environments' files.
    kubeconfig: kubeconfig === undefined ? undefined : settingPath(checkout, kubeconfig),
    context: kubeContext,
    // The settings' checks have made sure that there is one.
    identity: kubeContext ?? '',
    repository: undefined,
    registryCa: undefined,
    buildxInstance: undefined,
    images: {},
    stopped: undefined,
    unreachable: { path: 'kubeContext', value: kubeContext, remedy: 'Check it with `kubectl cluster-info`.' },
  };
}

async function readCa(file: string): Promise<string> {
  const problem = (message: string): ProblemsError => {
    const remedy = 'Name a PEM file; a relative path starts at the checkout.';
    return new ProblemsError([{ path: 'registryCa', value: file, message, remedy }]);
  };
  const pem = await readFile(file, 'utf8').catch((error: unknown) => {
    throw problem(`cannot be read (${codeOf(error)})`);
  });
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw problem('does not hold a certificate');
  return pem;
}
