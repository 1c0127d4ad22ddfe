import { APPLICATION_DEFAULTS } from '../api/defaults.ts';
import type { Application, InferenceStackSpec } from '../api/types.ts';
import type { Problem } from '../lib/problem.ts';
import { isReader, type EffectiveReader, type EffectiveSpec } from './effective.ts';

/** Models that answer instead of those that the author meant. */
export function modelNotices(given: InferenceStackSpec, spec: EffectiveSpec): Problem[] {
  return [...unnamedModels(given, spec), ...sharedGroups(spec)];
}

function unnamedModels(given: InferenceStackSpec, { applications }: EffectiveSpec): Problem[] {
  const isNamed = (values: Application | undefined): boolean => typeof values?.readerConfig?.modelName === 'string';
  if (isNamed(given.applicationTemplate)) return [];
  return readersOf(applications)
    .filter(([name]) => !isNamed(given.applications?.[name]))
    .map(([name]) => ({
      path: `spec.applications.${name}.readerConfig.modelName`,
      message: `is not set, so ${APPLICATION_DEFAULTS.readerConfig.modelName} answers`,
      remedy: 'Name the model.',
    }));
}

/** Readers of one consumer group take each other's requests: right for one model on several kinds of GPUs, wrong for two. */
function sharedGroups({ applications }: EffectiveSpec): Problem[] {
  const first = new Map<string, { readonly name: string; readonly modelName: string }>();
  return readersOf(applications).flatMap(([name, { readerConfig }]) => {
    const { consumerGroup, modelName } = readerConfig;
    const other = first.get(consumerGroup);
    first.set(consumerGroup, other ?? { name, modelName });
    if (other === undefined || other.modelName === modelName) return [];
    return [
      {
        path: `spec.applications.${name}.readerConfig.consumerGroup`,
        value: consumerGroup,
        message: `is used by ${other.name}, which serves another model: either of them answers`,
        remedy: 'Give each model a consumerGroup of its own.',
      },
    ];
  });
}

function readersOf(applications: EffectiveSpec['applications']): [name: string, reader: EffectiveReader][] {
  return Object.entries(applications).flatMap(([name, application]) =>
    isReader(application) ? [[name, application]] : [],
  );
}
