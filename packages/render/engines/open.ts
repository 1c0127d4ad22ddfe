import { ENGINE_ANNOTATION } from '../../api/constants.ts';
import { definedOnly } from '../../lib/values.ts';
import type { OpenObject } from '../../lib/json.ts';
import type { Drain, EnvVar, Image } from '../../api/types.ts';
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
import { aliasesOf } from './aliases.ts';
import { engineArguments } from './arguments.ts';
import { CACHE_FOLDER, modelSource, modelTitle, MODELS_FOLDER } from './model-source.ts';
import { chooseRevision } from './revision.ts';
import { factsOf, newestRevision, type EngineFacts, type ProbeFacts } from './table.ts';
import { ENGINE_TABLES } from './tables.ts';

/** The port of an application's Service, whatever the port of its engine. */
export const ENGINE_SERVICE_PORT = 80;

/** The name of the port on which an open engine serves clients, shows its health and its metrics. */
const PORT_NAME = 'http';

/** An application that serves the OpenAI API itself, as the table of its engine says. */
export function renderOpen(input: ApplicationInput, application: EffectiveOpen): ApplicationResult {
  const { component, name } = input;
  const { engine } = application;
  const table = ENGINE_TABLES[engine];
  const { revision, kept } = chooseRevision(engine, newestRevision(table), application.engineRevision, input.defaults);
  const facts = factsOf(table.revisions, revision);
  const image = imageOf(facts, application);
  const port = application.port ?? facts.port;
  const pods = podsOf(input, application, facts, port);
  return {
    objects: [
      ...modelCacheClaim(component, application),
      service(component),
      deployment({
        component,
        values: { ...pods.values, image, ports: [{ name: PORT_NAME, containerPort: port, protocol: 'TCP' }] },
        replicas: input.replicas,
        strategy: input.strategy,
        annotations: { [ENGINE_ANNOTATION]: `${engine}/${String(revision)}` },
        command: application.command ?? facts.command,
        args: pods.args,
        volumes: pods.volumes,
        volumeMounts: pods.volumeMounts,
        spec: { progressDeadlineSeconds: progressDeadline(facts.startup) },
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

/** The table's image, of which the user may replace any part. */
function imageOf(facts: EngineFacts, { image, gpu, resources }: EffectiveOpen): Image {
  const own = gpuRequest(gpu, resources) === undefined ? facts.image : (facts.gpuImage ?? facts.image);
  return { pullPolicy: 'IfNotPresent', ...own, ...image };
}

interface Pods {
  readonly values: EffectiveOpen;
  readonly args: readonly string[];
  readonly volumes: readonly OpenObject[];
  readonly volumeMounts: readonly OpenObject[];
}

function podsOf(
  { name, component }: ApplicationInput,
  application: EffectiveOpen,
  facts: EngineFacts,
  port: number,
): Pods {
  const { modelsVolume: given, modelCache, gpu } = application;
  const keeps = given !== undefined || modelCache !== undefined;
  const source = modelSource(application.model, facts, keeps);
  const resources = withDefaultResources(application.resources, facts.resources);
  const times = timesOf(application, facts);
  const settings = {
    ...source.settings,
    servedName: name,
    port: String(port),
    gpus: gpuRequest(gpu, resources)?.count.toString(),
    threads: String(wholeProcessors(resources)),
    promptCache: String(Math.floor(memoryMebibytes(resources) / PROMPT_CACHE_PART)),
    shutdown: String(Math.max(1, times.terminationGracePeriodSeconds - times.drain.seconds - RESERVE_SECONDS)),
  };
  const args = application.args ?? [];
  const models = keeps ? [modelsVolume(component, application)] : [];
  const security = hardenedPod(application.podSecurityContext);
  const [volume] = models;
  return {
    args: [...(application.command === undefined ? engineArguments(facts.arguments, settings, args) : []), ...args],
    values: {
      ...application,
      ...times,
      ...withGpu(gpu, { ...application, resources }),
      podSecurityContext: volume === undefined ? security : (modelsSecurityContext(security, volume) ?? security),
      securityContext: hardenedContainer(application.securityContext),
      startupProbe: application.startupProbe ?? probe(facts.startup),
      readinessProbe: application.readinessProbe ?? probe(facts.readiness),
      livenessProbe: application.livenessProbe ?? probe(facts.liveness),
      env: mergeEnv(application.env, source.env, variables(facts)),
    },
    volumes: [
      { name: 'cache', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
      sharedMemory(application.shmSize ?? facts.shmSize),
      ...models,
      ...source.volumes,
    ],
    volumeMounts: [
      { name: 'cache', mountPath: CACHE_FOLDER },
      { name: 'tmp', mountPath: '/tmp' },
      SHARED_MEMORY_MOUNT,
      ...models.map((each) => ({ name: each.name, mountPath: MODELS_FOLDER })),
      ...source.volumeMounts,
    ],
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
function progressDeadline({ periodSeconds, failureThreshold }: ProbeFacts): number {
  return periodSeconds * failureThreshold + PULL_SECONDS;
}

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
