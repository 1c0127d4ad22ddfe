import { hash } from 'node:crypto';
import { CONFIG_HASH_ANNOTATION } from '../api/constants.ts';
import { INTERNAL_PORT } from '../api/defaults.ts';
import { configYaml } from './config-yaml.ts';
import type { DeploymentInput } from './deployment.ts';
import type { Component } from './model.ts';
import { snakeCase } from './snake-case.ts';
import type { OpenObject } from '../lib/json.ts';
import { setOwn } from '../lib/values.ts';

/** The content of a pod's configuration file, and the hash that changes whenever the content does. */
export interface Configuration {
  readonly yaml: string;
  readonly hash: string;
}

export function gatewayConfiguration(config: OpenObject): Configuration {
  return configuration({ server_config: snakeKeys(config), readers_config: null });
}

export function readerConfiguration(name: string, readerConfig: OpenObject, gatewayHost: string): Configuration {
  const reader = snakeKeys({ internalGatewayIp: gatewayHost, ...readerConfig });
  // Readers reach the gateway through its Service, whose internal port stays the same.
  const server = { internal_port: INTERNAL_PORT };
  const readers: OpenObject = {};
  setOwn(readers, name, reader);
  return configuration({ server_config: server, readers_config: readers });
}

/** What mounts the configuration file into the pods, and replaces them when it changes, since it is read only at start. */
export function configurationFile(
  { objectName: name }: Component,
  { hash: value }: Configuration,
): Required<Pick<DeploymentInput, 'podAnnotations' | 'volumes' | 'volumeMounts'>> {
  return {
    podAnnotations: { [CONFIG_HASH_ANNOTATION]: value },
    volumes: [{ name: 'config', configMap: { name } }],
    volumeMounts: [{ name: 'config', mountPath: '/code/config.yaml', subPath: 'config.yaml' }],
  };
}

/** If two keys have the same snake_case name, the last in alphabetical order wins. */
export function snakeKeys(values: OpenObject): OpenObject {
  const result: OpenObject = {};
  for (const key of Object.keys(values).sort()) setOwn(result, snakeCase(key), values[key]);
  return result;
}

function configuration(takeoff: OpenObject): Configuration {
  const yaml = configYaml({ takeoff });
  return { yaml, hash: hash('sha256', yaml).slice(0, 16) };
}
