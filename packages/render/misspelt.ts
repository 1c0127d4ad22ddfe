import { closestName } from '../lib/similar.ts';
import { OBJECT_SCHEMA } from '../api/schema.gen.ts';
import type { Schema } from '../api/schema.ts';
import type { InferenceStackSpec } from '../api/types.ts';
import type { Problem } from '../lib/problem.ts';
import { snakeCase } from './snake-case.ts';

/** A hint is a courtesy. A stack with more unknown settings than this has other worries, and so has the operator. */
const LOOKED_AT = 100;

/** Settings whose names are nearly those of known ones. They are passed on all the same, since the runtime may know them. */
export function misspelt({ gateway, applicationTemplate, applications }: InferenceStackSpec): Problem[] {
  const unknown = [
    ...strangers('spec.gateway.config', gateway?.config, GATEWAY_SETTINGS),
    ...strangers('spec.applicationTemplate.readerConfig', applicationTemplate?.readerConfig, READER_SETTINGS),
    ...Object.keys(applications ?? {}).flatMap((name) =>
      // An application may be null: then it has nothing but the template.
      strangers(`spec.applications.${name}.readerConfig`, applications?.[name]?.readerConfig, READER_SETTINGS),
    ),
  ];
  return unknown.slice(0, LOOKED_AT).flatMap(hint);
}

/** Known settings by the name that they have in the configuration file: there `max_batch_size` is `maxBatchSize` too. */
type Settings = ReadonlyMap<string, string>;

const GATEWAY_SETTINGS = settingsOf('gateway', 'config');
const READER_SETTINGS = settingsOf('applicationTemplate', 'readerConfig');

function settingsOf(...path: readonly string[]): Settings {
  const schema = ['spec', ...path].reduce<Schema | undefined>(
    (each, field) => each?.properties?.[field],
    OBJECT_SCHEMA,
  );
  return new Map(Object.keys(schema?.properties ?? {}).map((key) => [snakeCase(key), key]));
}

/** A setting that is not known, and those that are. */
interface Stranger {
  readonly path: string;
  readonly key: string;
  readonly known: Settings;
}

function strangers(path: string, config: object | null | undefined, known: Settings): Stranger[] {
  return Object.entries(config ?? {})
    .filter(([key, value]) => value !== null && !known.has(snakeCase(key)))
    .map(([key]) => ({ path, key, known }));
}

function hint({ path, key, known }: Stranger): Problem[] {
  const meant = closestName(key, known.values());
  return meant === undefined
    ? []
    : [{ path: `${path}.${key}`, message: `is not a known setting; did you mean ${meant}?` }];
}
