import type { OpenObject } from '../../lib/json.ts';
import type { EffectiveOpen } from '../effective.ts';
import type { EngineFacts } from './table.ts';

/** The name of the port on which an open engine serves clients, shows its health and its metrics. */
export const PORT_NAME = 'http';

/** The ports of an open engine's container: the one that its Service leads to, and the user's others. */
export function enginePorts(
  { port, ports = [] }: Pick<EffectiveOpen, 'port' | 'ports'>,
  facts: Pick<EngineFacts, 'port'>,
): OpenObject[] {
  const own = { name: PORT_NAME, containerPort: port ?? facts.port, protocol: 'TCP' };
  const others = ports.filter(
    ({ name, containerPort }) => name !== own.name && Number(containerPort) !== own.containerPort,
  );
  return [own, ...others];
}
