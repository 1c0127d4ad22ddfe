import { sentences } from '../../message.ts';
import { problemLine, type Problem } from '../../problem.ts';
import type { EffectiveSpec } from '../../render/effective.ts';
import type { Capabilities, RenderResult } from '../../render/model.ts';
import { ASK_CLASSES_AGAIN_MS, ingressClassProblem } from '../ingress-classes.ts';
import { setCondition, type Outcome, type State, type World } from '../state.ts';

/** Says what is accepted, and what of it has no effect or not the one that its author may expect. */
export async function notify(state: State, world: World): Promise<Outcome> {
  const { rendered, spec } = state;
  if (rendered === undefined || spec === undefined) return 'next';
  const notices = [
    ...state.notices,
    ...rendered.notices,
    ...parallelism(spec, rendered),
    ...(await ingressNotices(state, spec, world)),
  ];
  if (notices.length === 0) setCondition(state, 'Accepted', 'True', 'Valid', 'The spec is valid.');
  else setCondition(state, 'Accepted', 'True', 'ValidWithNotices', problemLine(notices));
  reportOptionalApis(state, spec, world.capabilities());
  return 'next';
}

/** A model that is split over more GPUs than the pod has does not start; over fewer, some idle. */
function parallelism(spec: EffectiveSpec, rendered: RenderResult): Problem[] {
  return Object.entries(spec.applications).flatMap(([name, { readerConfig }]) => {
    const { tensorParallel } = readerConfig;
    const count = rendered.applications[name]?.gpu?.count;
    if (tensorParallel === undefined || count === undefined || tensorParallel === count) return [];
    return [
      {
        path: `spec.applications.${name}.readerConfig.tensorParallel`,
        value: tensorParallel,
        message: `does not agree with the ${count} GPUs of each pod`,
        remedy: 'Give both the same number.',
      },
    ];
  });
}

/** An Ingress of a class that does not exist is accepted, and never served. */
async function ingressNotices(state: State, { gateway }: EffectiveSpec, world: World): Promise<Problem[]> {
  if (!gateway.ingress.enabled) return [];
  const classes = await world.ingressClasses.list(world.now().getTime());
  const problem = classes === undefined ? undefined : ingressClassProblem(gateway.ingress, classes);
  if (problem === undefined) return [];
  state.requeueAfterMs = Math.min(state.requeueAfterMs ?? Infinity, ASK_CLASSES_AGAIN_MS);
  return [problem];
}

/** Only for stacks that use an optional API: the others need not know that it exists. */
function reportOptionalApis(state: State, spec: EffectiveSpec, capabilities: Capabilities): void {
  const wanted = [
    {
      used: Object.values(spec.applications).some(({ scaling }) => scaling.enabled),
      present: capabilities.keda,
      reason: 'KEDAMissing',
      message: 'Scaling needs KEDA, and the cluster has no keda.sh/v1alpha1 ScaledObject: install KEDA.',
    },
    {
      used: spec.gateway.exportPrometheusMetrics,
      present: capabilities.serviceMonitor,
      reason: 'PrometheusOperatorMissing',
      message:
        'Metrics need the Prometheus operator, and the cluster has no monitoring.coreos.com/v1 ServiceMonitor: install it.',
    },
  ].filter(({ used }) => used);
  const [missing] = wanted.filter(({ present }) => !present);
  if (wanted.length === 0) return;
  if (missing === undefined) {
    setCondition(
      state,
      'OptionalAPIsAvailable',
      'True',
      'Available',
      'Every optional API that the stack uses is there.',
    );
  } else {
    const messages = wanted.filter(({ present }) => !present).map(({ message }) => message);
    setCondition(state, 'OptionalAPIsAvailable', 'False', missing.reason, sentences(messages));
  }
}
