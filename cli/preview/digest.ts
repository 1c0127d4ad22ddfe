import { isObject } from '../../packages/lib/json.ts';
import { ObjectReader } from '../../policies/knowledge/objects/object-reader.ts';
import { unreadable } from './unreadable.ts';

/** What a preview is about to do to one resource. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  /** `kubernetes:apps/v1:Deployment` */
  readonly type: string;
  readonly name: string;
  readonly changes: readonly PropertyChange[];
}

/** A property that changes. Values are present only if they cannot be secret. */
export interface PropertyChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

export interface Digest {
  readonly steps: readonly Step[];
  /** Numbers of resources by operation. */
  readonly summary: Readonly<Record<string, number>>;
  readonly errors: readonly string[];
  /** Pulumi says that the preview failed, with or without a reason. */
  readonly hasFailed: boolean;
  /** What the program says each operator resolves to: `v1: 1.2.0 -> 1.3.1 (stable-v1, replaces it)`. */
  readonly plans: readonly string[];
  /** What it says becomes of InferenceStacks, or why that is not known. */
  readonly impacts: readonly string[];
}

/** Reads the output of `pulumi preview --json`. Throws where it does not tell how a preview ended. */
export function parseDigest(text: string, file: string): Digest {
  const digest = new ObjectReader(parsePreview(text, file));
  const errors = messagesOf(digest, 'error');
  // Pulumi counts at the end, and always counts at least its own stack resource.
  if (!digest.has('changeSummary') && errors.length === 0) throw unreadable(file, 'tells neither changes nor errors');
  return {
    hasFailed: errors.length > 0,
    steps: digest.list('steps').map(readStep),
    summary: Object.fromEntries(digest.entries('changeSummary').map(([op, count]) => [op, Number(count.value())])),
    // Pulumi says this of every preview that a policy refuses; the findings say more.
    errors: errors.filter((message) => message !== 'preview failed'),
    plans: messagesOf(digest, 'info')
      .filter((message) => /^v\d+: \d/.test(message))
      .sort(new Intl.Collator('en', { numeric: true }).compare),
    impacts: [
      ...messagesOf(digest, 'info').filter((message) => message.startsWith('Impact of ')),
      ...messagesOf(digest, 'warning').filter((message) => message.includes('what becomes of InferenceStacks')),
    ],
  };
}

function messagesOf(digest: ObjectReader, severity: string): string[] {
  return digest
    .list('diagnostics')
    .filter((diagnostic) => diagnostic.text('severity') === severity)
    .map((diagnostic) => (diagnostic.text('message') ?? '').trim().replace(`${severity}: `, ''));
}

/** The document that `pulumi preview --json` prints. */
export function parsePreview(text: string, file: string): unknown {
  // Pulumi may print a warning before the document.
  const start = text.search(/^\{/m);
  try {
    return JSON.parse(start === -1 ? text : text.slice(start));
  } catch {
    throw unreadable(file, text.trim() === '' ? 'is empty' : 'is not the JSON of a preview');
  }
}

function readStep(step: ObjectReader): Step {
  const urn = step.text('urn') ?? '';
  const [, , qualified = '', name = ''] = urn.split('::');
  const type = qualified.split('$').at(-1) ?? '';
  const paths = new Set([
    ...step.entries('detailedDiff').map(([path]) => path),
    ...(step.has('detailedDiff') ? [] : step.strings('diffReasons')),
  ]);
  return {
    op: step.text('op') ?? '',
    urn,
    type,
    name,
    changes: [...paths].map((path) => ({ path, ...valuesAt(step, type, path) })),
  };
}

/** Parts of a path, or kinds of objects, whose values are hidden even if nobody marked them as secret. */
const SENSITIVE =
  /secret|token|passw|passphrase|credential|private|kubeconfig|auth\b|key\b|connectionString|(?:^|[.[])(?:env|data|stringData|ca(?:Bundle|Data)?|cert\w*|key\w*)\b/i;

function valuesAt(step: ObjectReader, type: string, path: string): Omit<PropertyChange, 'path'> {
  if (SENSITIVE.test(path) || type.endsWith(':Secret')) return {};
  const before = scalarAt(step.value('oldState', 'inputs'), path);
  const after = scalarAt(step.value('newState', 'inputs'), path);
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The value at `a.b[0]["c"]` when it is plain; secrets are objects with a signature, and so never are. */
function scalarAt(root: unknown, path: string): string | undefined {
  const keys = [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, plain]) => quoted ?? index ?? plain ?? '',
  );
  const value = keys.reduce<unknown>((node, key) => {
    if (Array.isArray(node)) return node[Number(key)] as unknown;
    return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }, root);
  if (typeof value === 'string') return value === '[secret]' || value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
