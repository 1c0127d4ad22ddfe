import { INTERNAL_PORT, ONWARDS_DEFAULTS } from '../api/defaults.ts';
import type { FrozenDefaults, ServicePort } from '../api/types.ts';
import { textOf, valueAt, type OpenObject } from '../lib/json.ts';
import { names } from '../lib/message.ts';
import type { Problem } from '../lib/problem.ts';
import { isReader, type EffectiveApplication, type EffectiveGateway, type EffectiveSpec } from './effective.ts';
import { ENGINE_PORT, enginePortOf } from './external.ts';
import { knownEngine } from './engines/facts.ts';
import { enginePorts, PORT_NAME } from './engines/ports.ts';

/** Ports that lead nowhere: Kubernetes accepts them all, and then nothing answers. */
export function portNotices(
  { gateway, applications }: EffectiveSpec,
  defaults: Pick<FrozenDefaults, 'revisions'>,
): Problem[] {
  return [
    ...onwardsNotices(gateway),
    ...gateway.service.ports.flatMap((port, index) => targetNotice(gateway, port, index)),
    ...(Object.keys(applications).length === 0 ? [] : internalNotice(gateway)),
    ...probeNotices('spec.gateway', gateway, gateway.ports),
    ...Object.entries(applications).flatMap(([name, application]) =>
      probeNotices(`spec.applications.${name}`, application, portsOf(application, defaults)),
    ),
    ...Object.entries(applications).flatMap(([name, application]) => [
      ...enginePortNotice(`spec.applications.${name}`, application),
      ...ownPortNotices(`spec.applications.${name}`, application, defaults),
    ]),
  ];
}

function portsOf(
  application: EffectiveApplication,
  defaults: Pick<FrozenDefaults, 'revisions'>,
): readonly OpenObject[] {
  if (isReader(application)) return application.ports ?? [];
  return enginePorts(application, knownEngine(application, defaults).facts);
}

const ONWARDS_PORTS: readonly number[] = ONWARDS_DEFAULTS.ports.map(({ containerPort }) => containerPort);

/** Nothing tells Onwards to open another port. */
function onwardsNotices({ kind, ports }: EffectiveGateway): Problem[] {
  if (kind !== 'onwards') return [];
  return ports.flatMap(({ containerPort: value }, index) => {
    if (ONWARDS_PORTS.some((port) => port === value)) return [];
    const message = `is not opened by Onwards, which has ${ONWARDS_PORTS.join(' and ')}`;
    return [{ path: `spec.gateway.ports[${String(index)}].containerPort`, value, message }];
  });
}

function targetNotice(gateway: EffectiveGateway, { port, targetPort }: ServicePort, index: number): Problem[] {
  const target = targetPort ?? port;
  // A container may open ports that nobody declared, but hardly beside those that somebody did.
  const isKnown =
    typeof target === 'number' && gateway.ports.length > 0
      ? isDeclared(gateway.ports, target)
      : portNumber(gateway.ports, target) !== undefined;
  if (isKnown) return [];
  const path = `spec.gateway.service.ports[${String(index)}].${targetPort === undefined ? 'port' : 'targetPort'}`;
  return [{ path, value: target, ...unknownPort(gateway.ports) }];
}

/** Readers and the scaler always ask the Service at the same port. */
function internalNotice(gateway: EffectiveGateway): Problem[] {
  if (gateway.kind !== 'takeoff') return [];
  const { ports, config, service } = gateway;
  const way = service.ports.find(({ port }) => port === INTERNAL_PORT);
  const end = way === undefined ? undefined : portNumber(ports, way.targetPort ?? way.port);
  if (end === config.internalPort) return [];
  const leads = end === undefined ? 'leads nowhere' : `leads to ${String(end)}`;
  return [
    {
      path: 'spec.gateway.config.internalPort',
      value: config.internalPort,
      message: `is not reached: port ${String(INTERNAL_PORT)} of the gateway's Service, which readers use, ${leads}`,
    },
  ];
}

/** An external engine that a variable moves to another port is asked at the old one. */
function enginePortNotice(path: string, application: EffectiveApplication): Problem[] {
  if (!isReader(application) || application.engine !== 'external') return [];
  const port = String(enginePortOf(application));
  const value = application.env.find(({ name }) => name === ENGINE_PORT)?.value;
  if (value === undefined || value === port) return [];
  const message = `moves the engine from port ${port}, where its probe and the reader beside it ask`;
  return [{ path: `${path}.env.${ENGINE_PORT}`, value, message, remedy: 'Set readerConfig.enginePort instead.' }];
}

/** The name of an open engine's port belongs to the one that it serves on, so another port of that name is not declared. */
function ownPortNotices(
  path: string,
  application: EffectiveApplication,
  defaults: Pick<FrozenDefaults, 'revisions'>,
): Problem[] {
  if (isReader(application)) return [];
  const { port = knownEngine(application, defaults).facts.port, ports = [] } = application;
  return ports.flatMap(({ name, containerPort: value }, index) => {
    if (name !== PORT_NAME || Number(value) === port) return [];
    const message = `is left out: ${PORT_NAME} is the port that the engine serves on, which is ${String(port)}`;
    const remedy = 'Set port if the engine serves on this one, or give it another name.';
    return [{ path: `${path}.ports[${String(index)}].containerPort`, value, message, remedy }];
  });
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** A probe may ask any port by its number, but a name has to be one of the container's. */
function probeNotices(
  path: string,
  values: EffectiveApplication | EffectiveGateway,
  ports: readonly OpenObject[],
): Problem[] {
  return PROBES.flatMap((probe) =>
    ['httpGet', 'tcpSocket'].flatMap((way) => {
      const value = valueAt(values[probe], way, 'port');
      if (typeof value !== 'string' || portNumber(ports, value) !== undefined) return [];
      return [{ path: `${path}.${probe}.${way}.port`, value, ...unknownPort(ports) }];
    }),
  );
}

/** The number behind a name, or the number itself. */
function portNumber(ports: readonly OpenObject[], wanted: number | string): number | undefined {
  if (typeof wanted === 'number') return wanted;
  const found = ports.find(({ name }) => name === wanted);
  return found === undefined ? undefined : Number(textOf(found['containerPort']));
}

function isDeclared(ports: readonly OpenObject[], wanted: number): boolean {
  return ports.some(({ containerPort }) => containerPort === wanted);
}

function unknownPort(ports: readonly OpenObject[]): Pick<Problem, 'message' | 'remedy'> {
  const name = (port: OpenObject): string => PORT_FIELDS.flatMap((field) => text(port[field])).join(' ');
  const remedy = ports.length === 0 ? 'It declares none: add it to ports.' : `Use ${names(ports, undefined, name)}.`;
  return { message: 'is not a port of the container, so nothing answers', remedy };
}

const PORT_FIELDS = ['name', 'containerPort'] as const;

function text(value: unknown): string[] {
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}
