import { ONWARDS_DEFAULTS } from '../../../packages/api/defaults.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { isEmpty } from '../../../packages/lib/values.ts';
import type { Numeric, Onwards } from './values.ts';

/** What values say of the gateway that a stack's gateway cannot, and that it has another address. */
export function gatewayNotices(onwards: Onwards, prefix: string): Problem[] {
  const { containerPort, metrics, loadBalancer, extraArgs } = onwards;
  return [
    {
      path: 'onwards.service',
      message: `is called ${prefix}-gateway from now on, not ${prefix}-onwards`,
      remedy: 'Let clients in the cluster ask that one; an Ingress is converted.',
    },
    ...portNotice('onwards.containerPort', containerPort, 'http'),
    ...portNotice('onwards.metrics.port', metrics?.port, 'metrics'),
    ...(metrics?.prefix === undefined || metrics.prefix === PREFIX
      ? []
      : [
          {
            path: 'onwards.metrics.prefix',
            value: metrics.prefix,
            message: `cannot be converted: the names of the gateway's metrics begin with ${PREFIX}`,
            remedy: 'Change dashboards and alerts.',
          },
        ]),
    ...(isEmpty(extraArgs)
      ? []
      : [
          {
            path: 'onwards.extraArgs',
            message: "cannot be converted: the gateway's arguments are the operator's",
            remedy: 'See whether a variable in gateway.env does the same.',
          },
        ]),
    ...(loadBalancer?.enabled === true
      ? [
          {
            path: 'onwards.loadBalancer',
            message: 'cannot be converted: a gateway has one Service',
            remedy:
              "Set gateway.service.type to LoadBalancer, or keep the second Service as one of your own that selects the gateway's pods.",
          },
        ]
      : []),
  ];
}

/** What Onwards' own metrics begin with. */
const PREFIX = 'onwards';

function portNotice(path: string, port: Numeric | undefined, name: string): Problem[] {
  const own = ONWARDS_DEFAULTS.ports.find((each) => each.name === name)?.containerPort;
  if (port === undefined || Number(port) === own) return [];
  const message = `cannot be converted: the gateway's container serves there on ${String(own)}`;
  return [{ path, value: port, message, remedy: 'Ask its Service, whose ports can be chosen.' }];
}
