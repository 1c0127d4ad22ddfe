import { objectAt } from '../../../packages/lib/json.ts';
import { names } from '../../../packages/lib/message.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { isEmpty } from '../../../packages/lib/values.ts';
import type { ChartValues } from './values.ts';

/** What values say of a release as a whole that a stack cannot. */
export function stackNotices(values: ChartValues, prefix: string): Problem[] {
  return [
    ...policyNotices(values),
    ...monitorNotice(values),
    ...configMapNotices(values, prefix),
    ...(Object.values(values.modelGroups ?? {}).some(({ enabled }) => enabled === true)
      ? []
      : [
          {
            path: 'modelGroups',
            message: 'has no group that is enabled, so the stack serves nothing',
            remedy: 'Enable one, or add applications to the stack.',
          },
        ]),
  ];
}

function policyNotices({ networkPolicy = {} }: ChartValues): Problem[] {
  if (networkPolicy.enabled !== true) {
    return [
      {
        path: 'networkPolicy.enabled',
        message: 'is not true, but a stack has a NetworkPolicy: only the gateway and Prometheus reach its engines',
        remedy: 'Name others in networkPolicy.scrapers, or set networkPolicy.enabled to false in the stack.',
      },
    ];
  }
  const paths = [
    ...(isEmpty(networkPolicy.onwards) ? [] : ['networkPolicy.onwards']),
    ...Object.keys(objectAt(networkPolicy, 'modelGroups')).map((name) => `networkPolicy.modelGroups.${name}`),
  ];
  return paths.map((path) => ({
    path,
    message:
      "cannot be converted: a stack's NetworkPolicy lets the gateway and Prometheus reach its engines, and no more",
    remedy: 'Apply it as a NetworkPolicy of your own for the new pods; what several of them allow adds up.',
  }));
}

/** Fields of a ServiceMonitor that the operator's has not. */
const FIELDS = ['namespace', 'labels', 'annotations', 'interval', 'scrapeTimeout', 'tlsConfig', 'bearerTokenSecret'];

function monitorNotice({ serviceMonitor = {} }: ChartValues): Problem[] {
  const given = FIELDS.filter((field) => !isEmpty(serviceMonitor[field]));
  if (serviceMonitor.enabled !== true || given.length === 0) return [];
  return [
    {
      path: 'serviceMonitor',
      message: `cannot be converted as far as ${names(given)} ${given.length === 1 ? 'is' : 'are'} concerned`,
      remedy: "Let Prometheus select the stack's ServiceMonitors by app.kubernetes.io/managed-by, or make your own.",
    },
  ];
}

function configMapNotices({ configMaps = {} }: ChartValues, prefix: string): Problem[] {
  return Object.keys(configMaps).map((name) => ({
    path: `configMaps.${name}`,
    message: `cannot be converted: the operator makes no ConfigMap ${prefix}-${name}`,
    remedy: "Keep the release's, or make one of that name.",
  }));
}
