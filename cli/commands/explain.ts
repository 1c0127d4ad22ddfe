import { OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import { parseOperatorRequest } from '../../packages/api/operator-version.ts';
import type { InferenceStack } from '../../packages/api/types.ts';
import { formatProblem, type Problem } from '../../packages/lib/problem.ts';
import {
  isReader,
  type EffectiveApplication,
  type EffectiveOpen,
  type EffectiveSpec,
} from '../../packages/render/effective.ts';
import { GPU_DEFAULTS } from '../../packages/api/defaults.ts';
import type { RenderedApplication } from '../../packages/render/model.ts';
import { MODELS_FOLDER } from '../../packages/render/engines/model-source.ts';
import { poolsOf, weightOf } from '../../packages/render/onwards/pools.ts';
import { offlineContext } from '../../packages/render/offline-context.ts';
import { render } from '../../packages/render/render.ts';
import type { Io } from '../io.ts';
import { nameOf, readStacks, type StackOptions } from '../stack-input.ts';

/** The options of `fleet explain`. */
export interface ExplainOptions extends StackOptions {
  readonly output: 'text' | 'json';
}

export async function run(options: ExplainOptions, io: Io): Promise<number> {
  const explained = (await readStacks(options, io)).map(explain);
  io.out(
    options.output === 'json'
      ? `${JSON.stringify(explained, undefined, 2)}\n`
      : explained.map((stack) => `${asLines(stack).join('\n')}\n`).join('\n'),
  );
  return 0;
}

/** What will run for one stack, in words. */
export interface Explained {
  readonly stack: string;
  readonly servedBy: string;
  readonly gateway: { readonly pods: string; readonly image: string; readonly entrance: string };
  readonly applications: readonly ExplainedApplication[];
  /** How the applications behind one name share its requests. */
  readonly shared: readonly string[];
  readonly notes: readonly Problem[];
}

interface ExplainedApplication {
  readonly name: string;
  readonly model: string;
  /** On which device, or by which engine. */
  readonly way: string;
  readonly askedForAs: readonly string[];
  readonly pods: string;
  readonly image: string;
  readonly where: string;
  readonly models: string;
  readonly changes: string;
}

/** Explains one stack. */
export function explain(stack: InferenceStack): Explained {
  const { spec, applications, gatewayImage, notices } = render(stack, offlineContext(stack));
  const { gateway } = spec;
  return {
    stack: nameOf(stack),
    servedBy: operatorText(stack),
    gateway: { pods: pods(gateway.replicaCount), image: gatewayImage, entrance: entrance(gateway.ingress) },
    applications: Object.entries(spec.applications).flatMap(([name, application]) => {
      const rendered = applications[name];
      return rendered === undefined ? [] : [explainApplication(name, application, rendered)];
    }),
    shared: sharedNames(spec.applications),
    notes: notices,
  };
}

function asLines({ stack, servedBy, gateway, applications, shared, notes }: Explained): string[] {
  return [
    `${stack}, ${servedBy}`,
    `  gateway: ${gateway.pods} of ${gateway.image}, ${gateway.entrance}`,
    ...applications.flatMap((each) => [
      `  ${each.name}: ${each.model}${each.way}, asked for as ${each.askedForAs.map((client) => `"${client}"`).join(' or ')}`,
      `    ${each.pods} of ${each.image}`,
      `    where: ${each.where}`,
      `    models: ${each.models}`,
      `    changes: ${each.changes}`,
    ]),
    ...(applications.length === 0 ? ['  no applications, so no model is served'] : []),
    ...shared.map((line) => `  shared: ${line}`),
    ...notes.map((note) => `  note: ${formatProblem(note)}`),
  ];
}

function operatorText({ metadata }: InferenceStack): string {
  const request = parseOperatorRequest(metadata.labels?.[OPERATOR_VERSION_LABEL] ?? '');
  if (request === undefined) return 'served by nobody';
  const minimum = request.minimum === undefined ? '' : `, ${request.minimum} or newer`;
  return `served by operator v${String(request.major)}${minimum}`;
}

function explainApplication(
  name: string,
  application: EffectiveApplication,
  rendered: RenderedApplication,
): ExplainedApplication {
  const { model, clients, image } = rendered;
  return {
    name,
    model: model === '' ? 'a model of the image' : model,
    way: isReader(application) ? ` on ${application.readerConfig.device}` : `, served by ${application.engine}`,
    askedForAs: clients,
    pods: amount(application, rendered),
    image,
    where: place(application, rendered),
    models: models(application),
    changes: CHANGES[application.rollout],
  };
}

/** How the applications behind one name share its requests, such as a canary and the model that it is to replace. */
function sharedNames(applications: EffectiveSpec['applications']): string[] {
  const members = Object.entries(applications).flatMap(([name, application]) =>
    isReader(application) ? [] : [{ name, application }],
  );
  return poolsOf(members).flatMap((pool) => {
    if (pool.members.length < 2) return [];
    const shares = pool.members.map((member) => `${member.name} (weight ${String(weightOf(member))})`);
    return [`"${pool.alias}" by ${shares.join(' and ')}`];
  });
}

function amount({ scaling, suspend }: EffectiveApplication, { replicas }: RenderedApplication): string {
  if (suspend) return 'no pods, because it is suspended,';
  if (replicas !== undefined) return pods(replicas);
  const { minReplicaCount, maxReplicaCount } = scaling.spec;
  return `${String(minReplicaCount)} to ${pods(maxReplicaCount)}, by ${scaling.metricTarget.name} ${String(scaling.metricTarget.value)},`;
}

function place({ gpu, nodeSelector, tolerations }: EffectiveApplication, rendered: RenderedApplication): string {
  const { resourceName = GPU_DEFAULTS.resourceName, count = 0 } = rendered.gpu ?? {};
  const parts = count === 0 ? ['any node, no GPU'] : [`nodes with ${String(count)} free ${resourceName} for each pod`];
  if (gpu?.product !== undefined) parts.push(`of product ${gpu.product}`);
  if (gpu?.minMemory !== undefined) parts.push(`with at least ${gpu.minMemory} of memory each`);
  const labels = Object.entries(nodeSelector ?? {}).map(([label, value]) => `${label}=${value}`);
  if (labels.length > 0) parts.push(`labelled ${labels.join(', ')}`);
  if (count > 0 && gpu === undefined && tolerations === undefined) {
    parts.push('untainted, since resources alone tolerate no taint (gpu would)');
  }
  return parts.join(', ');
}

function models(application: EffectiveApplication): string {
  const { modelCache, modelsVolume } = application;
  if (modelCache !== undefined) {
    const kept = modelCache.deletionPolicy === 'Delete' ? 'deleted' : 'kept';
    return `a claim of ${modelCache.size}, ${kept} when the stack goes`;
  }
  if (modelsVolume === undefined) {
    return isReader(application) ? 'in memory, loaded anew by every pod' : openModels(application);
  }
  const source = Object.keys(modelsVolume).find((key) => key !== 'name') ?? '';
  return `in the volume ${modelsVolume.name ?? 'models'} (${source})`;
}

function openModels({ model, engine }: EffectiveOpen): string {
  if (model?.path !== undefined) {
    return model.path.startsWith('/')
      ? `${model.path}, in the image`
      : `${MODELS_FOLDER}/${model.path}, in the container`;
  }
  if (model?.image !== undefined) return `from the image ${model.image.reference}, mounted read-only`;
  return model === undefined
    ? `as the image of ${engine} has them`
    : 'on the disk of the node, loaded anew by every pod';
}

const CHANGES = {
  auto: 'by what GPUs are free then: a new pod first, one after the other, or all at once',
  surge: 'a new pod first, which needs room for one more',
  inPlace: 'one pod after the other, in the room that there is',
  recreate: 'all pods stop before the first new one starts',
} as const;

function entrance(ingress: { enabled?: boolean; hosts?: { host?: string }[] }): string {
  if (ingress.enabled !== true) return 'reached inside the cluster';
  return `reached at ${(ingress.hosts ?? []).map(({ host = '' }) => (host === '' ? 'every host' : host)).join(', ')}`;
}

function pods(count: number): string {
  return count === 1 ? '1 pod' : `${String(count)} pods`;
}
