import { APPLICATION_DEFAULTS } from '../../../packages/api/defaults.ts';
import type { ReaderEngine } from '../../../packages/api/types.ts';
import { objectAt, valueAt, type OpenObject } from '../../../packages/lib/json.ts';
import { isEmpty, overlay } from '../../../packages/lib/values.ts';
import { ENGINE_PORT, IS_EMBEDDING } from '../../../packages/render/external.ts';

/** An application of the values, or their template. */
export interface Layer {
  /** Where it is in the values. */
  readonly path: string;
  readonly given: OpenObject;
  readonly engine: ReaderEngine;
  /** What stays in a stack where the layer says null. */
  readonly below: OpenObject;
  /** Variables that the chart sets itself, so that the layer's have no effect. */
  readonly overruled: readonly string[];
}

/** What the chart's template has where the operator has something else. */
export const TEMPLATE_DEFAULTS = { image: { tag: '0.22.0-rc23-gpu' } };

/** What it has where the operator has nothing. */
export const SHARED_MEMORY = '2Gi';

const BELOW_TEMPLATE = objectAt(overlay(APPLICATION_DEFAULTS, TEMPLATE_DEFAULTS));

export function templateLayer(given: OpenObject, applications: readonly OpenObject[]): Layer {
  const isExternal = applications.some((application) => engineOf(application, given) === 'external');
  return {
    path: 'applicationTemplate',
    given,
    engine: engineOf({}, given),
    below: BELOW_TEMPLATE,
    overruled: isExternal ? overruledBy(given) : [],
  };
}

export function applicationLayer(name: string, given: OpenObject, template: OpenObject): Layer {
  const engine = engineOf(given, template);
  const { shmSize = SHARED_MEMORY } = template;
  return {
    path: `applications.${name}`,
    given,
    engine,
    // By null an application says nothing of variables and volume, and that its engine is takeoff.
    below: {
      ...objectAt(overlay(BELOW_TEMPLATE, template)),
      shmSize,
      env: undefined,
      modelsVolume: undefined,
      engine: undefined,
    },
    overruled: engine === 'external' ? overruledBy(overlay(template, given)) : [],
  };
}

/** The chart asks only whether an engine is takeoff, which is also what null and an empty text stand for. */
function engineOf(application: OpenObject, template: OpenObject): ReaderEngine {
  const { engine } = Object.hasOwn(application, 'engine') ? application : template;
  return isEmpty(engine) || engine === 'takeoff' ? 'takeoff' : 'external';
}

function overruledBy(application: unknown): string[] {
  return valueAt(application, 'readerConfig', 'isEmbedding') ? [ENGINE_PORT, IS_EMBEDDING] : [ENGINE_PORT];
}
