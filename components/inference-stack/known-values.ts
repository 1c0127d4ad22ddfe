import * as pulumi from '@pulumi/pulumi';
import { isObject, type OpenObject, textOf } from '../../packages/lib/json.ts';
import { setOwn } from '../../packages/lib/values.ts';

/** The part of an input that is known so far. */
export interface KnownValues {
  /** The input without outputs and promises. Where a value is not known yet, it has Pulumi's mark for that. */
  readonly value: unknown;
  /** Paths of the values that are not known. */
  readonly unknown: readonly string[];
  /** Paths of the outermost secrets. */
  readonly secret: readonly string[];
  /** The texts of all secrets, except those too short to protect anything. */
  readonly secretTexts: readonly string[];
}

/** Fields of an output that its declared type leaves out. `apply` gives nothing for a value that is only partly known. */
interface InnerOutput {
  readonly isKnown: Promise<boolean>;
  promise(withUnknowns: true): Promise<unknown>;
}

/** A shorter text protects nothing, and occurs in ordinary sentences. */
const SECRET_LENGTH = 4;

/** Waits for all outputs of an input, but not for values that only an update can know. */
export async function knownValues(input: unknown): Promise<KnownValues> {
  const found = { unknown: [] as string[], secret: [] as string[], secretTexts: [] as string[] };

  async function resolve(given: unknown, path: string, inSecret: boolean): Promise<unknown> {
    const value: unknown = await (pulumi.Output.isInstance(given) ? partlyKnown(given) : given);
    const isSecret = inSecret || (pulumi.Output.isInstance(given) && (await pulumi.isSecret(given)));
    if (isSecret && !inSecret) found.secret.push(path);
    if (pulumi.isUnknown(value)) {
      found.unknown.push(path);
      return value;
    }
    if (Array.isArray(value)) {
      return inOrder(value, (item, index) => resolve(item, `${path}[${String(index)}]`, isSecret));
    }
    if (isObject(value)) {
      const fields: OpenObject = {};
      for (const [key, field] of Object.entries(value)) {
        const resolved = await resolve(field, path === '' ? key : `${path}.${key}`, isSecret);
        if (resolved !== undefined) setOwn(fields, key, resolved);
      }
      return fields;
    }
    const text = isSecret ? textOf(value) : '';
    if (text.length >= SECRET_LENGTH) found.secretTexts.push(text);
    return value;
  }

  return { value: await resolve(input, '', false), ...found };
}

async function partlyKnown(output: pulumi.Output<unknown>): Promise<unknown> {
  const inner = output as unknown as InnerOutput;
  const value = await inner.promise(true);
  return (await inner.isKnown) || pulumi.containsUnknowns(value) ? value : pulumi.unknown;
}

async function inOrder(
  items: readonly unknown[],
  work: (item: unknown, index: number) => Promise<unknown>,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}
