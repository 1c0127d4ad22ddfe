import type { EffectiveOpen } from '../effective.ts';
import { said } from './arguments.ts';
import { expanded } from './expanded.ts';
import { ENGINE_TABLES } from './tables.ts';

/** The names by which clients ask for an application's model: by default its own name and the model's. */
export function aliasesOf(name: string, { aliases, model }: Pick<EffectiveOpen, 'aliases' | 'model'>): string[] {
  if (aliases !== undefined && aliases.length > 0) return [...new Set(aliases)];
  return model?.name === undefined ? [name] : [...new Set([name, model.name])];
}

/**
 * The name by which the engine itself knows its model: the one that its arguments say, else the application's. Where the operator writes
 * no arguments, it is the model's, and undefined if nothing is known: then the engine gets whatever clients say.
 */
export function upstreamModel(
  name: string,
  { engine, model, env, command = [], args = [] }: Pick<EffectiveOpen, 'engine' | 'model' | 'env' | 'command' | 'args'>,
): string | undefined {
  const served = said(ENGINE_TABLES[engine], 'servedName', [...command, ...args])?.value;
  // vLLM takes several names as arguments of their own, and llama.cpp in one: the first of them is as good as any.
  if (served !== undefined) return expanded(served, env)?.split(',')[0];
  return engine === 'openai' || command.length > 0 ? model?.name : name;
}
