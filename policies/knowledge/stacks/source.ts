import type { InferenceStack } from '../../../packages/api/types.ts';
import { validate } from '../../../packages/api/validate.ts';
import { isObject, type OpenObject, objectAt } from '../../../packages/lib/json.ts';
import { setOwn } from '../../../packages/lib/values.ts';
import { formatProblem } from '../../../packages/lib/problem.ts';
import { joinPath, type ObjectReader, reveal, UNKNOWN, UnknownValue } from '../objects/object-reader.ts';

/** A stack as far as it is known, in plain values. */
export interface StackSource {
  readonly object: OpenObject;
  /** The stack, where it is valid and can be rendered. */
  readonly stack?: InferenceStack;
  /** Paths of values that affect pods and are known only after the update. */
  readonly unknown: readonly string[];
  /** Why nothing, or not everything, can be said about its pods. */
  readonly reasons: readonly string[];
}

type Path = readonly (string | number)[];

/** Removes from a stack what is not known yet, so the rest can be rendered and judged. */
export function sourceOf(stack: ObjectReader): StackSource {
  const missing: Path[] = [];
  const object = named(objectAt(withoutUnknown(reveal(stack.value()), [], missing)));
  const result = validate(object);
  const unknown = missing.filter((path) => !result.valid || concernsPods(path)).map(textOf);
  const reasons = unknown.map((path) => UnknownValue.at(path).message);
  if (result.valid) return { object, stack: result.stack, unknown, reasons };
  return { object, unknown, reasons: unknown.length > 0 ? reasons : [invalid(result.problems)] };
}

function withoutUnknown(value: unknown, path: Path, missing: Path[]): unknown {
  const part = (inner: unknown, key: string | number): unknown => {
    if (inner !== UNKNOWN) return withoutUnknown(inner, [...path, key], missing);
    missing.push([...path, key]);
    return undefined;
  };
  if (Array.isArray(value)) return value.map(part).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  const result: OpenObject = {};
  for (const key of Object.keys(value)) {
    const inner = part(value[key], key);
    if (inner !== undefined) setOwn(result, key, inner);
  }
  return result;
}

/** Objects are named after their stack. Which name that is does not matter here. */
function named(object: OpenObject): OpenObject {
  return { ...object, metadata: { name: 'unnamed', ...objectAt(object['metadata']) } };
}

/** The fields of the gateway and of applications that rules about pods look at. */
const POD_FIELDS: Path = [
  'image',
  'podSecurityContext',
  'securityContext',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'volumes',
  'modelsVolume',
];

function concernsPods([top, layer, ...rest]: Path): boolean {
  if (top !== 'spec' || layer === undefined) return top === 'spec';
  const [field] = layer === 'applications' ? rest.slice(1) : rest;
  const isLayer = ['gateway', 'applicationTemplate', 'applications'].includes(String(layer));
  return isLayer && (field === undefined || POD_FIELDS.includes(field));
}

function textOf(path: Path): string {
  return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : joinPath(text, [key])), '');
}

function invalid([first]: readonly { path: string; value?: unknown; message: string }[]): string {
  const { path = '', value, message = 'is not valid' } = first ?? {};
  return `${formatProblem({ path, value, message })}, so what comes of the stack is not judged`;
}
