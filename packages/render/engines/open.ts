import { ENGINE_ANNOTATION } from '../../api/constants.ts';
import { definedOnly } from '../../lib/values.ts';
import type { OpenObject } from '../../lib/json.ts';
import type { Drain, EnvVar } from '../../api/types.ts';
import type { ApplicationInput, ApplicationResult } from '../application.ts';
import { deployment, imageReference } from '../deployment.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import type { EffectiveOpen } from '../effective.ts';
import { mergeEnv } from '../env.ts';
import { gpuRequest, withGpu } from '../gpu.ts';
import { hardenedContainer, hardenedPod } from '../hardened.ts';
import { metaOf, type Component, type RenderedObject } from '../model.ts';
import { modelCacheClaim, modelsSecurityContext, modelsVolume } from '../models-volume.ts';
import { memoryMebibytes, wholeProcessors, withDefaultResources } from '../resources.ts';
import { scaledObject } from '../scaled-object.ts';
import { serviceMonitor } from '../service-monitor.ts';
import { sharedMemory, SHARED_MEMORY_MOUNT } from '../shared-memory.ts';
import { withoutDefaultIds } from '../user-ids.ts';
import { aliasesOf } from './aliases.ts';
import { engineArguments } from './arguments.ts';
import { knownEngine } from './facts.ts';
import { mounted } from './folders.ts';
import { imageOf } from './image.ts';
import { CACHE_FOLDER, modelSource, modelTitle, MODELS_FOLDER } from './model-source.ts';
import { enginePorts, PORT_NAME } from './ports.ts';
import type { EngineFacts, ProbeFacts } from './table.ts';

/** The port of an application's Service, whatever the port of its engine. */
export const ENGINE_SERVICE_PORT = 80;

/** An application that serves the OpenAI API itself, as the table of its engine says. */
export function renderOpen(input: ApplicationInput, application: EffectiveOpen): ApplicationResult {
  const { component, name } = input;
  const { facts, revision, kept } = knownEngine(application, input.defaults);
  const image = imageOf(ownImage(facts, application), application.image);
  const pods = podsOf(input, application, facts);
  return {
    objects: [
      ...modelCacheClaim(component, application),
      service(component),
      deployment({
        component,
        values: { ...pods.values, image, ports: enginePorts(application, facts) },
        replicas: input.replicas,
        strategy: input.strategy,
        annotations: { [ENGINE_ANNOTATION]: `${application.engine}/${String(revision)}` },
        command: isReplaced(application) ? application.command : facts.command,
        args: pods.args,
        volumes: pods.volumes,
        volumeMounts: pods.volumeMounts,
        spec: { progressDeadlineSeconds: progressDeadline(facts.startup, application.startupProbe) },
        // Services of a name such as vllm would set variables that the engine takes for its own.
        podSpec: { enableServiceLinks: false, automountServiceAccountToken: false },
        ...input.pod,
        defaultTag: '',
      }),
      ...disruptionBudget(component, application.disruption),
      ...(input.scaled ? [scaledObject(component, application, [])] : []),
      ...(input.monitored ? [serviceMonitor(component, { port: PORT_NAME, path: facts.metricsPath })] : []),
    ],
    rendered: definedOnly({
      model: modelTitle(application.model),
      image: imageReference(image, ''),
      clients: aliasesOf(name, application),
      revision: kept,
    }),
  };
}

/** The table's image: for some engines, another one with a GPU. */
function ownImage({ image, gpuImage }: EngineFacts, { gpu, resources }: EffectiveOpen): EngineFacts['image'] {
  return gpuRequest(gpu, resources) === undefined ? image : (gpuImage ?? image);
}

/** Whether the user's command stands in place of the engine's. An empty one takes back the template's. */
function isReplaced({ command }: EffectiveOpen): boolean {
  return command !== undefined && command.length > 0;
}

interface Pods {
  readonly values: EffectiveOpen;
  readonly args: readonly string[];
  readonly volumes: readonly OpenObject[];
  readonly volumeMounts: readonly OpenObject[];
}

function podsOf(
  { name, component, assignsUserIds }: ApplicationInput,
  application: EffectiveOpen,
  facts: EngineFacts,
): Pods {
  const { modelsVolume: given, modelCache, gpu, args = [] } = application;
  const keeps = given !== undefined || modelCache !== undefined;
  const source = modelSource(application.model, facts, keeps);
  const resources = withDefaultResources(application.resources, facts.resources);
  const times = timesOf(application, facts);
  const settings = {
    ...source.settings,
    servedName: name,
    port: String(application.port ?? facts.port),
    gpus: gpuRequest(gpu, resources)?.count.toString(),
    threads: String(wholeProcessors(resources)),
    promptCache: String(Math.floor(memoryMebibytes(resources) / PROMPT_CACHE_PART)),
    shutdown: String(Math.max(1, times.terminationGracePeriodSeconds - times.drain.seconds - RESERVE_SECONDS)),
  };
  const [models] = keeps ? [modelsVolume(component, application)] : [];
  const { podSecurityContext, securityContext, initContainers } = application;
  const hardened = hardenedPod(podSecurityContext, securityContext, initContainers);
  const security = models === undefined ? hardened : (modelsSecurityContext(hardened, models) ?? hardened);
  return {
    args: [...(isReplaced(application) ? [] : engineArguments(facts.arguments, settings, args)), ...args],
    values: {
      ...application,
      ...times,
      ...withGpu(gpu, { ...application, resources }),
      podSecurityContext: assignsUserIds ? withoutDefaultIds(security, podSecurityContext) : security,
      securityContext: hardenedContainer(securityContext),
      startupProbe: application.startupProbe ?? probe(facts.startup),
      readinessProbe: application.readinessProbe ?? probe(facts.readiness),
      livenessProbe: application.livenessProbe ?? probe(facts.liveness),
      env: mergeEnv(application.env, source.env, variables(facts)),
    },
    ...mounted(
      [
        { volume: { name: 'cache', emptyDir: {} }, mountPath: CACHE_FOLDER },
        { volume: { name: 'tmp', emptyDir: {} }, mountPath: '/tmp' },
        { volume: sharedMemory(application.shmSize ?? facts.shmSize), mountPath: SHARED_MEMORY_MOUNT.mountPath },
        ...(models === undefined ? [] : [{ volume: models, mountPath: MODELS_FOLDER, isNamed: true } as const]),
        ...source.folders,
      ],
      application,
    ),
  };
}

/** The share of the memory that may hold the beginnings of prompts. */
const PROMPT_CACHE_PART = 8;

/** Seconds between the end that an engine is given, and the one that the kubelet makes. */
const RESERVE_SECONDS = 5;

function timesOf(
  { drain, terminationGracePeriodSeconds: given }: EffectiveOpen,
  { drainSeconds, graceSeconds }: EngineFacts,
): { readonly drain: Required<Drain>; readonly terminationGracePeriodSeconds: number } {
  const grace = given ?? Math.max(graceSeconds, (drain?.seconds ?? 0) + RESERVE_SECONDS);
  const seconds = drain?.seconds ?? Math.min(drainSeconds, Math.max(0, grace - RESERVE_SECONDS));
  return { drain: { seconds }, terminationGracePeriodSeconds: grace };
}

function variables({ env }: EngineFacts): EnvVar[] {
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}

function probe({ path, ...times }: ProbeFacts): OpenObject {
  return { httpGet: { path, port: PORT_NAME }, ...times };
}

/** A model that is still loading is no rollout that has failed. */
function progressDeadline({ periodSeconds, failureThreshold }: ProbeFacts, given: OpenObject = {}): number {
  const loading = Math.max(periodSeconds * failureThreshold, longestSeconds(given));
  return Math.min(loading + PULL_SECONDS, LONGEST_SECONDS);
}

/** How long a user's startup probe waits, with the defaults that Kubernetes has. */
function longestSeconds({ initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 }: OpenObject): number {
  const seconds = Number(initialDelaySeconds) + Number(periodSeconds) * Number(failureThreshold);
  return Number.isSafeInteger(seconds) ? seconds : 0;
}

/** The largest number of seconds that the API server takes. */
const LONGEST_SECONDS = 2 ** 31 - 1;

/** Time for pulling an image of several gigabytes. */
const PULL_SECONDS = 1800;

function service(component: Component): RenderedObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metaOf(component),
    spec: {
      type: 'ClusterIP',
      ports: [{ name: PORT_NAME, port: ENGINE_SERVICE_PORT, targetPort: PORT_NAME, protocol: 'TCP' }],
      selector: component.selector,
    },
  };
}
