import { isObject, objectAt, type OpenObject } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { isEmpty, overlay } from '../../../packages/lib/values.ts';
import { effectiveEnv, envNotices } from './env.ts';
import { applicationLayer, SHARED_MEMORY, TEMPLATE_DEFAULTS, templateLayer, type Layer } from './layer.ts';
import { nullNotices } from './nulls.ts';
import { asPrinted } from './printed.ts';

/** The chart's probe of takeoff. That of an external engine is the operator's as well. */
const LIVENESS = { httpGet: { path: '/healthz', port: 3000 }, initialDelaySeconds: 600, periodSeconds: 10 };

interface Converted {
  readonly applicationTemplate: OpenObject;
  readonly applications: OpenObject;
  readonly notices: readonly Problem[];
}

export function convertApplications(template: OpenObject, given: Readonly<Record<string, OpenObject>>): Converted {
  const shared = templateLayer(template, Object.values(given));
  const applications = Object.entries(given).map(
    ([name, application]) => [name, applicationLayer(name, application, template)] as const,
  );
  const layers = [shared, ...applications.map(([, layer]) => layer)];
  // In the template the probe would be merged with an application's own, and ask external engines, too.
  const isForAll = layers.every(hasDefaultProbe);
  const isForEach = !isForAll && isEmpty(template['livenessProbe']);
  return {
    applicationTemplate: {
      ...convertTemplate(shared),
      ...(isForAll ? { livenessProbe: LIVENESS } : {}),
    },
    applications: Object.fromEntries(
      applications.map(([name, layer]) => [
        name,
        { ...convertLayer(layer), ...(isForEach && hasDefaultProbe(layer) ? { livenessProbe: LIVENESS } : {}) },
      ]),
    ),
    notices: layers.flatMap(layerNotices),
  };
}

function hasDefaultProbe({ engine, given }: Layer): boolean {
  return engine === 'takeoff' && isEmpty(given['livenessProbe']);
}

function convertTemplate(layer: Layer): OpenObject {
  const { shmSize = SHARED_MEMORY } = layer.given;
  return { ...objectAt(overlay(TEMPLATE_DEFAULTS, convertLayer(layer))), shmSize: nullIfEmpty(shmSize) };
}

/** What a layer says, as a spec says it. Null stands for nothing. */
function convertLayer({ given, engine, overruled }: Layer): OpenObject {
  const { env, readerConfig, modelsVolume, sidecar, shmSize } = given;
  return {
    ...given,
    engine: Object.hasOwn(given, 'engine') ? engine : null,
    env: effectiveEnv({ env, overruled }),
    readerConfig: isObject(readerConfig) ? convertReader(readerConfig) : readerConfig,
    modelsVolume: nullIfEmpty(modelsVolume),
    sidecar: isObject(sidecar) ? { ...sidecar, env: effectiveEnv({ env: sidecar['env'], overruled: [] }) } : sidecar,
    shmSize: nullIfEmpty(shmSize),
  };
}

/** The variable of an external engine has isEmbedding as it stands: "false" is not the same as false. */
function convertReader(readerConfig: OpenObject): OpenObject {
  const { isEmbedding } = readerConfig;
  return { ...asPrinted(readerConfig, 'applicationTemplate', 'readerConfig'), isEmbedding };
}

function layerNotices({ path, given, engine, below, overruled }: Layer): Problem[] {
  const { engine: value, env, shmSize } = given;
  const isGuessed = engine === 'external' && !isEmpty(value) && value !== engine;
  const message = 'is an external engine, as all are to the chart but takeoff';
  return [
    ...(isGuessed ? [{ path: `${path}.engine`, value, message }] : []),
    ...envNotices(path, { env, overruled }),
    ...nullNotices(path, shmSize === '' ? { ...given, shmSize: null } : given, below),
  ];
}

function nullIfEmpty(value: unknown): unknown {
  return isEmpty(value) ? null : value;
}
