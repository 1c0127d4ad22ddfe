import { sentences } from '../../../../packages/lib/message.ts';
import { problemLine, type Problem } from '../../../../packages/lib/problem.ts';
import type { EffectiveSpec } from '../../../../packages/render/effective.ts';
import { ASK_CLASSES_AGAIN_MS, ingressClassProblem } from '../ingress-classes.ts';
import { lookAgainAfter, setCondition, type Outcome, type State, type World } from '../state.ts';

/** Reports that the spec is accepted, and which parts of it have no effect, or not the one that their author may expect. */
export async function notify(state: State, world: World): Promise<Outcome> {
  const { rendered, spec } = state;
  if (rendered === undefined || spec === undefined) return 'next';
  const notices = [...state.notices, ...rendered.notices, ...(await ingressNotices(state, spec, world))];
  if (notices.length === 0) setCondition(state, 'Accepted', 'True', 'Valid', 'The spec is valid.');
  else setCondition(state, 'Accepted', 'True', 'ValidWithNotices', problemLine(notices));
  reportOptionalApis(state, spec, world);
  return 'next';
}

/** An Ingress of a class that does not exist is accepted, and never served. */
async function ingressNotices(state: State, { gateway }: EffectiveSpec, world: World): Promise<Problem[]> {
  if (!gateway.ingress.enabled) return [];
  const classes = await world.ingressClasses.list(world.now().getTime());
  const problem = classes === undefined ? undefined : ingressClassProblem(gateway.ingress, classes);
  if (problem === undefined) return [];
  lookAgainAfter(state, ASK_CLASSES_AGAIN_MS);
  return [problem];
}

/** Only for stacks that use an optional API: the others need not know that it exists. */
function reportOptionalApis(state: State, spec: EffectiveSpec, { owned }: World): void {
  const used = [
    ...(Object.values(spec.applications).some(({ scaling }) => scaling.enabled) ? [KEDA] : []),
    ...(spec.gateway.exportPrometheusMetrics ? [PROMETHEUS_OPERATOR] : []),
  ];
  if (used.length === 0) return;
  const problems = used.flatMap(({ name, kind, api, missing }) => {
    if (owned.isAbsent(kind)) return [{ reason: `${name}Missing`, message: missing }];
    if (!owned.isUnanswered(kind)) return [];
    const message = `The API server does not answer for ${api}, so the objects that the stack has of it stay as they are.`;
    return [{ reason: `${name}Unavailable`, message }];
  });
  const [first] = problems;
  const [status, reason, message] =
    first === undefined
      ? (['True', 'Available', 'Every optional API that the stack uses is available.'] as const)
      : (['False', first.reason, sentences(problems.map((problem) => problem.message))] as const);
  setCondition(state, 'OptionalAPIsAvailable', status, reason, message);
}

const KEDA = {
  name: 'KEDA',
  kind: 'ScaledObject',
  api: 'keda.sh/v1alpha1 ScaledObject',
  missing: 'Scaling needs KEDA, and the cluster has no keda.sh/v1alpha1 ScaledObject: install KEDA.',
};

const PROMETHEUS_OPERATOR = {
  name: 'PrometheusOperator',
  kind: 'ServiceMonitor',
  api: 'monitoring.coreos.com/v1 ServiceMonitor',
  missing:
    'Metrics need the Prometheus operator, and the cluster has no monitoring.coreos.com/v1 ServiceMonitor: install it.',
};
