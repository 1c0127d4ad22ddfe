import { GROUP, INFERENCE_STACK, STORAGE_VERSION } from '../../packages/api/constants.ts';
import { OPERATOR_DEFAULTS } from '../../packages/api/defaults.ts';
import { GATEWAY } from '../../packages/api/names.ts';
import type { Application, OpenEngine } from '../../packages/api/types.ts';
import { objectAt, objectsAt, type OpenObject } from '../../packages/lib/json.ts';
import { applicationComponent, COMPONENT_LABEL } from '../../packages/render/names.ts';
import { offlineContext } from '../../packages/render/offline-context.ts';
import { render } from '../../packages/render/render.ts';

/** What a stack becomes that sets nothing but what is asked about. */
export interface Sample {
  readonly deployment: OpenObject;
  /** Spec of the pods. */
  readonly pod: OpenObject;
  readonly container: OpenObject;
  /** Where metrics are read. */
  readonly metrics: OpenObject;
}

/** A stand-in for what the table of `openai` does not have. */
const IMAGE = { repository: 'IMAGE', tag: 'TAG' } as const;

export function engineSample(engine: OpenEngine, revision: number, application: Application = {}): Sample {
  const image = engine === 'openai' ? IMAGE : {};
  return sample({ image, ...application, engine, engineRevision: revision }, applicationComponent('model'), {});
}

export function gatewaySample(revision: number): Sample {
  return sample({ engine: 'openai', image: IMAGE }, GATEWAY, { onwards: revision });
}

function sample(model: Application, component: string, revisions: Readonly<Record<string, number>>): Sample {
  const stack = {
    apiVersion: `${GROUP}/${STORAGE_VERSION}`,
    kind: INFERENCE_STACK.kind,
    metadata: { name: 'sample' },
    spec: { gateway: { exportPrometheusMetrics: true }, applications: { model } },
  };
  const { objects } = render(stack, { ...offlineContext(stack), defaults: { ...OPERATOR_DEFAULTS, revisions } });
  const found = (kind: string): OpenObject =>
    objectAt(
      objects.find((object) => object.kind === kind && object.metadata.labels[COMPONENT_LABEL] === component),
      'spec',
    );
  const deployment = found('Deployment');
  const pod = objectAt(deployment, 'template', 'spec');
  const [container = {}] = objectsAt(pod, 'containers');
  const [metrics = {}] = objectsAt(found('ServiceMonitor'), 'endpoints');
  return { deployment, pod, container, metrics };
}
