import type { OpenObject } from '../../lib/json.ts';

/** The name of the port on which an open engine serves clients, shows its health and its metrics. */
export const PORT_NAME = 'http';

/** The ports of an open engine's container: the one that it serves on, and what the user declares beside it, such as one for metrics. */
export function enginePorts(port: number, given: readonly OpenObject[] = []): OpenObject[] {
  const further = given.filter((each) => each['name'] !== PORT_NAME && each['containerPort'] !== port);
  return [{ name: PORT_NAME, containerPort: port, protocol: 'TCP' }, ...further];
}
