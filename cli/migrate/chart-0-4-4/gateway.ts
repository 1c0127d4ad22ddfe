import semver from 'semver';
import type { Gateway, GatewayService, Image } from '../../../packages/api/types.ts';
import { ONWARDS_DEFAULTS } from '../../../packages/api/defaults.ts';
import { textAt, type OpenObject } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { definedOnly, present } from '../../../packages/lib/values.ts';
import { PORT_NAME } from '../../../packages/render/engines/ports.ts';
import { factsOf } from '../../../packages/render/engines/table.ts';
import { routeVolumes } from '../../../packages/render/onwards/route-keeper.ts';
import { ONWARDS_REVISIONS } from '../../../packages/render/onwards/table.ts';
import { gatewayNotices } from './gateway-notices.ts';
import { numberOf, timesOf } from './probes.ts';
import type { ChartIngress, ChartValues, Onwards } from './values.ts';

/** The newest image of the operator's gateway: older ones do not know its arguments. */
const { image: OWN_IMAGE } = factsOf(ONWARDS_REVISIONS, ONWARDS_REVISIONS.length);

/** What values say of the gateway. What they do not say is the operator's own, not the chart's. */
export function gatewayOf(
  values: ChartValues,
  prefix: string,
): { readonly gateway: Gateway; readonly notices: Problem[] } {
  const { onwards = {}, ingress, serviceMonitor } = values;
  const { env, resources, podAnnotations, securityContext, nodeSelector, tolerations, affinity, probes } = onwards;
  const { podSecurityContext, volumes = [], volumeMounts = [] } = onwards;
  const image = imageOf(onwards.image);
  const gateway: Gateway = definedOnly({
    kind: 'onwards' as const,
    ...present({ image: image.image }),
    replicaCount: numberOf(onwards.replicaCount),
    ...present({ env, service: serviceOf(onwards), ingress: ingressOf(ingress) }),
    ...(probes === undefined ? {} : probesOf(probes)),
    ...present({ resources, podAnnotations, podSecurityContext, securityContext }),
    ...present({ volumes: volumes.map(renamed), volumeMounts: volumeMounts.map(renamed) }),
    ...present({ nodeSelector, tolerations, affinity }),
    exportPrometheusMetrics: serviceMonitor?.enabled === true ? true : undefined,
  });
  return { gateway, notices: [...image.notices, ...gatewayNotices(onwards, prefix)] };
}

const ADDED_VOLUMES = routeVolumes('').map((volume) => textAt(volume, 'name'));

/** A volume, or its mount, that has the name of one that the operator adds gets another. */
function renamed(volume: OpenObject): OpenObject {
  const name = textAt(volume, 'name');
  return ADDED_VOLUMES.includes(name) ? { ...volume, name: `chart-${name}` } : volume;
}

const CHART_REPOSITORY = 'ghcr.io/doublewordai/onwards';

function imageOf({ repository, tag, pullPolicy }: Image = {}): {
  readonly image: OpenObject;
  readonly notices: Problem[];
} {
  const own = repository === undefined || repository === CHART_REPOSITORY ? undefined : repository;
  const kept = tag !== undefined && isNewEnough(tag) ? tag : undefined;
  const image = present({ repository: own, tag: kept, pullPolicy });
  if (kept !== undefined || (own === undefined && (tag === undefined || tag === ''))) return { image, notices: [] };
  const wanted = `${OWN_IMAGE.repository}:${OWN_IMAGE.tag}`;
  const message = `${tag === undefined ? 'is not set' : 'is left out'}: the operator needs Onwards ${OWN_IMAGE.tag} or newer, and uses that`;
  const remedy =
    own === undefined ? `Copy ${wanted} if nodes have only a registry of your own.` : `Copy ${wanted} to ${own}.`;
  return { image, notices: [{ path: 'onwards.image.tag', value: tag, message, remedy }] };
}

function isNewEnough(tag: string): boolean {
  const version = semver.parse(tag);
  return version !== null && semver.gte(version, OWN_IMAGE.tag);
}

/** The ports of the gateway's Service are all the operator's, or all given. */
function serviceOf({ service = {}, metrics = {} }: Onwards): GatewayService {
  const { type, port, nodePort } = service;
  const { enabled: scraped = true, service: { port: metricsPort } = {} } = metrics;
  const given: Readonly<Record<string, OpenObject>> = {
    http: definedOnly({ port: numberOf(port), nodePort: type === 'NodePort' ? numberOf(nodePort) : undefined }),
    metrics: definedOnly({ port: numberOf(metricsPort) }),
  };
  const ports = ONWARDS_DEFAULTS.service.ports
    .filter(({ name }) => scraped || name !== 'metrics')
    .map((own) => ({ ...own, ...given[own.name] }));
  const isOwn = JSON.stringify(ports) === JSON.stringify(ONWARDS_DEFAULTS.service.ports);
  return definedOnly({ type, ports: isOwn ? undefined : ports });
}

/** The chart's own times, over which a value is laid. */
const TIMES = {
  path: '/v1/models',
  liveness: { initialDelaySeconds: 5, periodSeconds: 10 },
  readiness: { initialDelaySeconds: 2, periodSeconds: 5 },
};

/** The chart looks at two of its times, and at no startup probe. */
function probesOf({ path = TIMES.path, liveness, readiness }: NonNullable<Onwards['probes']>): Gateway {
  const httpGet = { path, port: PORT_NAME };
  const times = (way: 'liveness' | 'readiness', given: typeof liveness = {}): OpenObject => {
    const { initialDelaySeconds = TIMES[way].initialDelaySeconds, periodSeconds = TIMES[way].periodSeconds } = given;
    return timesOf({ initialDelaySeconds, periodSeconds });
  };
  return {
    livenessProbe: { httpGet, ...times('liveness', liveness) },
    readinessProbe: { httpGet, ...times('readiness', readiness) },
  };
}

/** The class is in one place: Kubernetes refuses an Ingress that has it in the chart's annotation, too. */
function ingressOf(ingress: ChartIngress | undefined): OpenObject | undefined {
  if (ingress?.enabled !== true) return undefined;
  const { className, annotations, hosts, tls } = ingress;
  return { enabled: true, ...present({ className, annotations, hosts, tls }) };
}
