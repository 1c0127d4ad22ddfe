import { APPLICATION_DEFAULTS } from '../api/defaults.ts';
import type { Application, InferenceStackSpec } from '../api/types.ts';
import type { Problem } from '../problem.ts';
import type { EffectiveSpec } from './effective.ts';

/** Models that answer in the place of those that their author meant. */
export function modelNotices(given: InferenceStackSpec, { applications }: EffectiveSpec): Problem[] {
  return [...unnamedModels(given), ...sharedGroups(applications)];
}

function unnamedModels({ applications = {}, applicationTemplate }: InferenceStackSpec): Problem[] {
  if (applicationTemplate?.readerConfig?.modelName !== undefined) return [];
  return (
    Object.entries(applications)
      // YAML has `null` for an application that says nothing.
      .filter(([, application]: [string, Application | null]) => application?.readerConfig?.modelName === undefined)
      .map(([name]) => ({
        path: `spec.applications.${name}.readerConfig.modelName`,
        message: `is not set, so ${APPLICATION_DEFAULTS.readerConfig.modelName} answers`,
        remedy: 'Name the model.',
      }))
  );
}

/** Readers of one consumer group take each other's requests: right for one model on several kinds of GPUs, wrong for two. */
function sharedGroups(applications: EffectiveSpec['applications']): Problem[] {
  const first = new Map<string, { readonly name: string; readonly modelName: string }>();
  return Object.entries(applications).flatMap(([name, { readerConfig }]) => {
    const { consumerGroup, modelName } = readerConfig;
    const other = first.get(consumerGroup);
    first.set(consumerGroup, other ?? { name, modelName });
    if (other === undefined || other.modelName === modelName) return [];
    return [
      {
        path: `spec.applications.${name}.readerConfig.consumerGroup`,
        value: consumerGroup,
        message: `is that of ${other.name}, which serves another model: either of them answers`,
        remedy: 'Give each model a consumerGroup of its own.',
      },
    ];
  });
}
