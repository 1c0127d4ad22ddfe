import { textAt, type OpenObject } from '../../packages/lib/json.ts';
import { isWithin } from '../../packages/lib/problem.ts';
import { differences, type Difference } from './differences.ts';
import type { Effect, Finding } from './finding.ts';
import type { RenderedStack } from './surface.ts';

/**
 * Whether a stack was served by the version before and keeps the defaults that it got there, or comes new to the version. Both are asked:
 * an upgrade must leave alone what runs, and a file that somebody keeps must go on to mean the same.
 */
export type Life = 'running' | 'new';

/** What a difference under a path of a kind means. */
interface Rule {
  readonly kind: string;
  readonly under: string;
  readonly lives: readonly Life[];
  readonly how: readonly Difference['how'][];
  readonly effect: Effect;
  readonly message: string;
}

const ANY = ['gone', 'new', 'changed'] as const;
const LESS = ['gone', 'changed'] as const;
const BOTH = ['running', 'new'] as const;

/** The first that fits holds. What none fits is a change that nobody relies on. */
const RULES: readonly Rule[] = [
  rule('Deployment', 'spec.template', ['running'], ANY, 'breaking', 'restarts the pods'),
  rule('Deployment', 'spec.selector', ['running'], ANY, 'breaking', 'cannot be changed in place'),
  rule('PersistentVolumeClaim', 'spec', ['running'], ANY, 'breaking', 'cannot be changed in place'),
  rule('Service', 'spec.ports', BOTH, LESS, 'breaking', 'is no longer where clients connect to'),
  rule('Service', 'spec.ports', BOTH, ['new'], 'addition', 'is new'),
  rule('Service', 'spec', ['running'], ANY, 'breaking', 'changes who is reached, and from where'),
  rule('Ingress', 'spec', BOTH, LESS, 'breaking', 'is no longer where clients connect to'),
  rule('NetworkPolicy', 'spec', ['running'], ANY, 'breaking', 'changes who may connect'),
  rule('ConfigMap', 'data', ['running'], ['gone'], 'breaking', 'is gone while pods may read it'),
  rule('ScaledObject', 'spec.scaleTargetRef', ['running'], ANY, 'breaking', 'is no longer what is scaled'),
  ...['metadata.labels', 'metadata.annotations'].map((under) =>
    rule('*', under, ['running'], ['gone'], 'breaking', 'is gone while people may select by it'),
  ),
];

function rule(
  kind: string,
  under: string,
  lives: readonly Life[],
  how: readonly Difference['how'][],
  effect: Effect,
  message: string,
): Rule {
  return { kind, under, lives, how, effect, message };
}

/** What one version makes of the stacks that another one was asked about. */
export function compareStacks(
  before: readonly RenderedStack[],
  after: readonly RenderedStack[],
  life: Life,
): Finding[] {
  return before.flatMap((was) => {
    const is = after.find(({ name }) => name === was.name);
    if (is === undefined) throw new RangeError(`${was.name} was not asked about`);
    return ofStack(was, is, life);
  });
}

function ofStack(was: RenderedStack, is: RenderedStack, life: Life): Finding[] {
  const about = `${life === 'running' ? 'the running stack' : 'a new stack'} ${was.name}`;
  const found = (effect: Effect, object: string, path: string, message: string): Finding => ({
    area: 'stacks',
    effect,
    object: object === '' ? about : `${object} of ${about}`,
    path,
    message,
  });
  if (was.problems.length > 0) {
    return is.problems.length > 0 ? [] : [found('addition', '', '', 'is served, and was refused')];
  }
  if (is.problems.length > 0) return [found('breaking', '', '', `is refused: ${is.problems.join('; ')}`)];
  const [earlier, later] = [byKey(was.objects), byKey(is.objects)];
  return [
    ...[...earlier].flatMap(([key, object]) => {
      const next = later.get(key);
      if (next === undefined) return [found('breaking', key, '', 'is gone')];
      return grouped(textAt(object, 'kind'), differences(object, next), life).map(({ effect, path, message }) =>
        found(effect, key, path, message),
      );
    }),
    ...[...later.keys()]
      .filter((key) => !earlier.has(key))
      .map((key) =>
        life === 'running' && key.startsWith('NetworkPolicy ')
          ? found('breaking', key, '', 'changes who may connect')
          : found('addition', key, '', 'is new'),
      ),
  ];
}

interface Judged {
  readonly effect: Effect;
  readonly path: string;
  readonly message: string;
}

/** The most paths that a finding names. */
const SHOWN = 3;

/** The differences of an object, those of one meaning together: a changed template is one finding, not fifty. */
function grouped(kind: string, found: readonly Difference[], life: Life): Judged[] {
  const groups = Map.groupBy(found, ({ path, how }) => {
    const fits = RULES.find(
      (one) =>
        [kind, '*'].includes(one.kind) &&
        one.lives.includes(life) &&
        one.how.includes(how) &&
        isWithin(path, one.under),
    );
    return fits;
  });
  return [...groups].map(([fits, all]) => {
    const paths = [...new Set(all.map(({ path }) => path))];
    const more = paths.length > SHOWN ? ` and ${String(paths.length - SHOWN)} more` : '';
    const { effect, message } = fits ?? { effect: 'change' as const, message: 'differs' };
    return { effect, path: `${paths.slice(0, SHOWN).join(', ')}${more}`, message };
  });
}

function byKey(objects: readonly OpenObject[]): Map<string, OpenObject> {
  return new Map(objects.map((object) => [`${textAt(object, 'kind')} ${textAt(object, 'metadata', 'name')}`, object]));
}
