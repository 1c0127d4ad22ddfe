import yaml from 'js-yaml';

/** A gateway answers people; a reader serves the requests of one consumer group. */
export type Role = GatewayRole | ReaderRole;

export interface GatewayRole {
  readonly role: 'gateway';
  /** Where readers connect. */
  readonly internalPort: number;
}

export interface ReaderRole {
  readonly role: 'reader';
  readonly id: string;
  readonly modelName: string;
  /** The value of `model` in requests. */
  readonly consumerGroup: string;
  readonly gatewayHost: string;
  readonly gatewayPort: number;
}

const DEFAULT_INTERNAL_PORT = 3005;

/** Reads the configuration file of the real runtime: one with readers makes a reader, one without a gateway. */
export function parseConfig(text: string, podName: string): Role {
  const takeoff = record(record(yaml.load(text))['takeoff']);
  const internalPort = port(record(takeoff['server_config'])['internal_port']);
  const [first] = Object.entries(record(takeoff['readers_config']));
  if (first === undefined) return { role: 'gateway', internalPort };
  const [name, reader] = first;
  const { model_name: modelName, consumer_group: group, internal_gateway_ip: host } = record(reader);
  return {
    role: 'reader',
    // Replicas share their configuration; the pod's name tells them apart.
    id: `${name}-${podName}`,
    modelName: textOr(modelName, 'none'),
    consumerGroup: textOr(group, 'primary'),
    gatewayHost: textOr(host, 'localhost'),
    gatewayPort: internalPort,
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function port(value: unknown): number {
  return typeof value === 'number' ? value : DEFAULT_INTERNAL_PORT;
}

function textOr(value: unknown, absent: string): string {
  return typeof value === 'string' ? value : absent;
}
