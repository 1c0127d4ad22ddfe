import * as pulumi from '@pulumi/pulumi';
import { kubectlCommand, type ClusterReference } from '../packages/kube/kubectl.ts';
import type { OlmV1 } from '../components/olm/olm-v1.ts';
import type { Settings } from './config/schema.ts';
import type { PlannedOperator } from '../components/fleet/plan.ts';
import type { ClusterDescription } from './cluster/describe-cluster.ts';
import type { DemoImage } from './images/demo-image.ts';

/** What `pulumi up` ends with: what was installed, and the commands to go on with. */
export interface FleetOutputs {
  /** For every operator, by `v<major>`: its version, and the channel that it follows. After an update they run. */
  readonly operators: pulumi.Input<Readonly<Record<string, string>>>;
  /** The catalog that operators come from, by digest where one was built. */
  readonly catalog?: pulumi.Output<string>;
  readonly olm: string;
  /** When OLM's certificates stop being valid; `pulumi up` renews them every year. */
  readonly olmCertificatesExpire?: pulumi.Output<string | undefined>;
  /** The stand-in for the model runtime. */
  readonly demoRuntime?: pulumi.Output<{ repository: string; tag: string; digest: string }>;
  /** What serves a model in the embedded cluster: a gateway, and an engine with a model. */
  readonly serving?: Readonly<Record<'onwards' | 'llamacpp', ServingImage>>;
  readonly commands: Readonly<Record<string, string>>;
}

/** An image as an InferenceStack names it. */
export interface ServingImage {
  readonly repository: string;
  readonly digest: string;
}

export interface OutputParts {
  readonly settings: Settings;
  readonly cluster: ClusterReference & Pick<ClusterDescription, 'images'>;
  readonly olm: OlmV1 | undefined;
  readonly operators: readonly PlannedOperator[];
  /** Known when the operators run; undefined in a preview. */
  readonly running: pulumi.Output<unknown> | undefined;
  readonly catalogImage: pulumi.Output<string> | undefined;
  readonly demo: DemoImage | undefined;
}

export function describeOutputs(parts: OutputParts): FleetOutputs {
  const { settings, cluster, olm, running, catalogImage, demo } = parts;
  const operators = Object.fromEntries(
    parts.operators.map(({ operator, plan }) => [`v${operator.major}`, `${plan.to} from ${plan.channel}`]),
  );
  return {
    operators: running === undefined ? operators : running.apply(() => operators),
    ...(catalogImage === undefined ? {} : { catalog: catalogImage }),
    olm: settings.olm.mode === 'existing' ? 'existing' : settings.olm.version,
    ...(olm === undefined || settings.olm.certificates !== 'generated'
      ? {}
      : { olmCertificatesExpire: olm.certificatesExpire }),
    ...(demo === undefined ? {} : { demoRuntime: demoOutput(demo), ...servingOutput(cluster.images) }),
    commands: commands(cluster),
  };
}

function demoOutput({
  repository,
  tag,
  image,
}: DemoImage): pulumi.Output<Record<'repository' | 'tag' | 'digest', string>> {
  return image.ref.apply((digest) => ({ repository, tag, digest }));
}

/** The cluster has these images if this machine could provide what they are made of. */
function servingOutput({ onwards, llamaCpp }: ClusterDescription['images']): Pick<FleetOutputs, 'serving'> {
  const [gateway, engine] = [onwards, llamaCpp].map((image) => image?.split('@'));
  if (gateway === undefined || engine === undefined) return {};
  const byDigest = ([repository = '', digest = '']: readonly string[]): ServingImage => ({ repository, digest });
  return { serving: { onwards: byDigest(gateway), llamacpp: byDigest(engine) } };
}

function commands(cluster: ClusterReference): Readonly<Record<string, string>> {
  const kubectl = kubectlCommand(cluster);
  return {
    extensions: `${kubectl} get clusterextensions`,
    stacks: `${kubectl} get inferencestacks --all-namespaces`,
    gateway: `${kubectl} port-forward --namespace=<namespace> service/<stack>-inference-stack-gateway 8080:80`,
    ask: `curl http://localhost:8080/v1/chat/completions --json '{"model":"primary","messages":[{"role":"user","content":"Hello"}]}'`,
  };
}
