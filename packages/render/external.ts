import { EXTERNAL_DEFAULTS } from '../api/defaults.ts';
import type { EnvVar } from '../api/types.ts';
import { textOf, type OpenObject } from '../lib/json.ts';
import { isEmpty, present } from '../lib/values.ts';
import { drainLifecycle, imageReference } from './deployment.ts';
import type { EffectiveReader } from './effective.ts';
import { mergeEnv } from './env.ts';
import type { Component } from './model.ts';
import { containerName } from './names.ts';
import type { ReaderPods } from './reader.ts';

/** Tells the engine on which port to serve. */
export const ENGINE_PORT = 'ENGINE_PORT';
/** Tells it that it computes embeddings. */
export const IS_EMBEDDING = 'IS_EMBEDDING';

/**
 * Two containers: an engine that serves HTTP on a port of its own, and beside it a reader that takes requests from the gateway and asks
 * the engine. `configMounts` are those of the configuration file, which both read.
 */
export function externalPods(
  component: Component,
  application: EffectiveReader,
  configMounts: readonly OpenObject[],
): ReaderPods {
  const { objectName } = component;
  const image = { ...EXTERNAL_DEFAULTS.externalEngineImage, ...application.externalEngineImage };
  const port = enginePortOf(application);
  const { livenessProbe = {} } = application;
  return {
    values: {
      ...application,
      image,
      env: mergeEnv(application.env, engineEnv(application, port)),
      livenessProbe: isEmpty(livenessProbe) ? defaultLiveness(port) : livenessProbe,
    },
    defaultTag: EXTERNAL_DEFAULTS.externalEngineImage.tag,
    containerName: containerName(objectName, 'engine'),
    sidecars: [{ name: containerName(objectName, 'sidecar'), ...sidecar(application, port, configMounts) }],
  };
}

/** The port on which the engine serves, its probe asks, and the reader beside it. The API takes anything there: what is no port is none. */
export function enginePortOf({ readerConfig: { enginePort } }: EffectiveReader): number {
  const port = Number(textOf(enginePort ?? ''));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : EXTERNAL_DEFAULTS.enginePort;
}

/** An engine that loads a large model for longer needs a startup probe. */
function defaultLiveness(port: number): OpenObject {
  return { httpGet: { path: '/health', port }, initialDelaySeconds: 600, periodSeconds: 10 };
}

function engineEnv({ readerConfig: { isEmbedding } }: EffectiveReader, port: number): EnvVar[] {
  const variables = [{ name: ENGINE_PORT, value: String(port) }];
  // As in the public chart, an engine that computes none is told nothing.
  return isEmbedding ? [...variables, { name: IS_EMBEDDING, value: String(isEmbedding) }] : variables;
}

function sidecar(application: EffectiveReader, port: number, volumeMounts: readonly OpenObject[]): OpenObject {
  const image = { ...EXTERNAL_DEFAULTS.sidecarImage, ...application.sidecarImage };
  const { env = [], ports, resources } = application.sidecar ?? {};
  return present({
    image: imageReference(image, EXTERNAL_DEFAULTS.sidecarImage.tag),
    imagePullPolicy: image.pullPolicy,
    // In front of the user's, which may refer to them. What both set is the user's.
    env: [...sidecarEnv(port).filter(({ name }) => !env.some((given) => given.name === name)), ...env],
    ports,
    // Requests come by way of this container, so it stays as long as the engine.
    lifecycle: drainLifecycle(application.drain),
    resources,
    volumeMounts,
  });
}

function sidecarEnv(port: number): EnvVar[] {
  return [
    { name: 'TAKEOFF_SGLANG_API_URL', value: `http://localhost:${String(port)}` },
    { name: 'TAKEOFF_HEADLESS', value: 'true' },
  ];
}
