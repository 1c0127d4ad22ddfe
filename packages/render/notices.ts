import type { Application, FrozenDefaults, InferenceStackSpec } from '../api/types.ts';
import type { Problem } from '../lib/problem.ts';
import { effectNotices } from './effect-notices.ts';
import { isReader, type EffectiveApplication, type EffectiveSpec } from './effective.ts';
import { engineNotices, revisionNotices } from './engine-notices.ts';
import { knownEngine } from './engines/facts.ts';
import { deviceNotices, engineGpuNotices, gpuAmountNotices, readerGpuNotices } from './gpu-notices.ts';
import type { Capabilities, RenderContext } from './model.ts';
import { misspelt } from './misspelt.ts';
import { modelNotices } from './model-notices.ts';
import { exclusiveCache } from './models-volume.ts';
import { portNotices } from './port-notices.ts';
import { snakeCase } from './snake-case.ts';
import { isEmpty } from '../lib/values.ts';
import { weightNotices } from './weight-notices.ts';

const TEMPLATE = 'spec.applicationTemplate';

/** Everything that works, but perhaps not as its author thinks. Yields after each part. */
export function* noticeParts(
  given: InferenceStackSpec,
  spec: EffectiveSpec,
  { capabilities, defaults }: Pick<RenderContext, 'capabilities' | 'defaults'>,
): Generator<undefined, Problem[]> {
  const found = misspelt(given);
  yield;
  found.push(
    ...portNotices(spec, defaults),
    ...effectNotices(given, spec),
    ...serviceMonitorNotice(spec, capabilities),
    ...collisions('spec.gateway.config', spec.gateway.config ?? {}),
    ...collisions(`${TEMPLATE}.readerConfig`, given.applicationTemplate?.readerConfig ?? {}),
    ...deviceNotices(given, spec.applications),
    ...weightNotices(given, spec),
    ...revisionNotices(spec, defaults),
  );
  for (const [name, application] of Object.entries(spec.applications)) {
    yield;
    found.push(
      ...applicationNotices(`spec.applications.${name}`, application, given.applications?.[name] ?? {}, defaults),
      ...gpuAmountNotices(`spec.applications.${name}`, application),
      ...scalingNotice(name, application, capabilities),
      ...cacheNotice(name, application),
    );
  }
  yield;
  // Last, since a status line has room for few notices and these are the least alarming.
  found.push(...modelNotices(given, spec));
  return found;
}

function applicationNotices(
  path: string,
  application: EffectiveApplication,
  { readerConfig = {} }: Application,
  defaults: FrozenDefaults,
): Problem[] {
  if (isReader(application)) {
    return [
      ...collisions(`${path}.readerConfig`, application.readerConfig, readerConfig),
      ...readerGpuNotices(path, application),
    ];
  }
  const known = knownEngine(application, defaults);
  return [...engineGpuNotices(path, application, known), ...engineNotices(path, application, known)];
}

function serviceMonitorNotice(spec: EffectiveSpec, { serviceMonitor }: Capabilities): Problem[] {
  if (!spec.gateway.exportPrometheusMetrics || serviceMonitor) return [];
  return [
    {
      path: 'spec.gateway.exportPrometheusMetrics',
      message: 'makes no ServiceMonitor, because the cluster has no monitoring.coreos.com/v1',
      remedy: 'Install the Prometheus operator.',
    },
  ];
}

function scalingNotice(name: string, application: EffectiveApplication, { keda }: Capabilities): Problem[] {
  const { scaling, replicaCount } = application;
  if (!scaling.enabled) return [];
  const path = `spec.applications.${name}.scaling`;
  const stays = `it stays at ${pods(replicaCount)}`;
  if (!keda) {
    const message = `does not scale, because the cluster has no keda.sh/v1alpha1: ${stays}`;
    return [{ path: `${path}.enabled`, message, remedy: 'Install KEDA.' }];
  }
  if (isReader(application) || !isEmpty(scaling.spec.triggers)) return [];
  const message = `is empty, so nothing scales the application: ${stays}`;
  return [{ path: `${path}.spec.triggers`, message, remedy: 'Say what it is scaled by.' }];
}

function pods(count: number): string {
  return count === 1 ? '1 pod' : `${String(count)} pods`;
}

function cacheNotice(name: string, application: EffectiveApplication): Problem[] {
  const { replicaCount, scaling } = application;
  const value = exclusiveCache(application);
  const wanted = scaling.enabled ? scaling.spec.maxReplicaCount : replicaCount;
  if (value === undefined || wanted < 2) return [];
  const effect =
    value === 'ReadWriteOnce' ? `keeps all ${pods(wanted)} on one node` : `lets 1 of ${pods(wanted)} start`;
  return [
    {
      path: `spec.applications.${name}.modelCache.accessMode`,
      value,
      message: effect,
      remedy: 'Use ReadWriteMany to spread them.',
    },
  ];
}

/** Settings that get the same name in the configuration file. One of a pair must be in `reported`: other pairs get their own notice. */
function collisions(path: string, config: object, reported: object = config): Problem[] {
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  for (const key of Object.keys(config).sort()) {
    const snake = snakeCase(key);
    const other = seen.get(snake);
    if (other !== undefined && (Object.hasOwn(reported, key) || Object.hasOwn(reported, other))) {
      const message = `is ${snake} in config.yaml, and so is ${other}; ${key} wins`;
      problems.push({ path: `${path}.${key}`, message, remedy: 'Remove one of them.' });
    }
    seen.set(snake, key);
  }
  return problems;
}
