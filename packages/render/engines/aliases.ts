import type { EffectiveOpen } from '../effective.ts';

/** The names by which clients ask for an application's model: by default its own name and the model's. */
export function aliasesOf(name: string, { aliases, model }: Pick<EffectiveOpen, 'aliases' | 'model'>): string[] {
  if (aliases !== undefined && aliases.length > 0) return [...new Set(aliases)];
  return model?.name === undefined ? [name] : [...new Set([name, model.name])];
}

/** The name by which the engine itself knows its model; undefined if it takes whatever clients say. */
export function upstreamModel(
  name: string,
  { engine, model }: Pick<EffectiveOpen, 'engine' | 'model'>,
): string | undefined {
  return engine === 'openai' ? model?.name : name;
}
