import type { InferenceStackSpec } from '../api/types.ts';
import { names } from '../lib/message.ts';
import type { Problem } from '../lib/problem.ts';
import { isReader, type EffectiveOpen, type EffectiveSpec } from './effective.ts';
import { hasPods, poolsOf, weightOf, type Pool } from './onwards/pools.ts';

interface Member {
  readonly name: string;
  readonly application: EffectiveOpen;
}

/** Weights that do not share anything, or that leave an alias to nobody. */
export function weightNotices(given: InferenceStackSpec, { applications }: EffectiveSpec): Problem[] {
  const members = Object.entries(applications).flatMap(([name, application]): Member[] =>
    isReader(application) ? [] : [{ name, application }],
  );
  const pools = poolsOf(members);
  return [...silent(pools), ...lonely(given, members, pools)];
}

/** Aliases whose applications have pods, and no weight. */
function silent(pools: readonly Pool<Member>[]): Problem[] {
  const found = pools.filter(
    ({ members }) =>
      members.every((member) => weightOf(member) === 0) && members.some(({ application }) => hasPods(application)),
  );
  const byFirst = Map.groupBy(found, ({ members }) => members.find(({ application }) => hasPods(application))?.name);
  return [...byFirst].map(([name = '', aliases]) => ({
    path: `spec.applications.${name}.weight`,
    value: 0,
    message: `leaves nobody to answer for ${names(aliases, ALIAS_LIMIT, ({ alias }) => alias)}`,
    remedy: 'Give one a weight, or suspend all.',
  }));
}

/** Room for the names of aliases, each of which may be longer than that. */
const ALIAS_LIMIT = 50;

/** Weights of applications that share no alias. */
function lonely(
  { applicationTemplate, applications }: InferenceStackSpec,
  members: readonly Member[],
  pools: readonly Pool<Member>[],
): Problem[] {
  const sharing = new Set(
    pools.filter((pool) => pool.members.length > 1).flatMap((pool) => pool.members.map(({ name }) => name)),
  );
  const isSet = (layer: { weight?: number | null } | null | undefined): boolean => typeof layer?.weight === 'number';
  const message = 'has no effect: no other application has one of its aliases';
  const alone = members
    .filter(({ name, application }) => isSet(applications?.[name]) && application.weight > 0 && !sharing.has(name))
    .map(({ name }) => `spec.applications.${name}.weight`);
  const isForNobody = isSet(applicationTemplate) && members.length > 0 && sharing.size === 0;
  return [...(isForNobody ? ['spec.applicationTemplate.weight'] : []), ...alone].map((path) => ({
    path,
    message: path.startsWith('spec.applicationTemplate') ? 'has no effect: no applications share an alias' : message,
    remedy: 'Give the applications a common alias, or remove it.',
  }));
}
