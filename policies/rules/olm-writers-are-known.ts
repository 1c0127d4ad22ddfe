import { WRITER_FORM, writersOf } from '../../components/guards/writers.ts';
import { rulesOf } from '../knowledge/rights/aggregation.ts';
import type { ClusterFacts, Facts } from '../knowledge/facts.ts';
import { isListed, readHolders } from '../knowledge/rights/holder.ts';
import { ALWAYS_MANDATORY } from '../knowledge/levels.ts';
import { known, UnknownValue, type ObjectReader } from '../knowledge/objects/object-reader.ts';
import { actsAsClusterAdmin, grantsEverything, wayOf } from '../knowledge/olm/access.ts';
import { olmReach } from '../knowledge/olm/reach.ts';
import { describeWriter, olmWriters, type OlmWriter } from '../knowledge/olm/writers.ts';
import {
  CLUSTER_ADMIN,
  exemptSetting,
  holdersOf,
  isBinding,
  isJudged,
  OLM_WRITERS,
  roleOf,
  unreadWords,
} from '../knowledge/rights/rbac.ts';
import { attempt, judge, words } from '../knowledge/rule.ts';
import type { ClusterVerdict, Finding, ObjectRule, Settings, Subject } from '../knowledge/rule.ts';

export const olmWritersAreKnown: ObjectRule = {
  scope: 'object',
  name: 'olm-writers-are-known',
  title: 'Whoever writes for OLM is known',
  description:
    'Only those who are known to can write ClusterExtensions and ClusterCatalogs: OLM acts as cluster-admin.',
  severity: 'critical',
  levels: ALWAYS_MANDATORY,
  remedy:
    'Take the rights away, or name the holders in the setting "writers". The setting olm.writers enforces a list.',
  settings: {
    ...exemptSetting(OLM_WRITERS),
    writers: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: `Those who are expected to write ClusterExtensions and ClusterCatalogs, each as ${WRITER_FORM}.`,
    },
  },
  check: (subject, facts, settings) => {
    const { object } = subject;
    // A namespaced role grants nothing on these cluster-scoped objects. no-dangerous-rights judges where it leads.
    if (!isJudged(subject, settings) || !object.kind.startsWith('Cluster')) return [];
    if (isBinding(object)) return judge(subject, () => bindingProblems(subject, facts, settings));
    return [
      ...attempt(subject, () => object.list('rules').flatMap((rule) => judgeRule(subject, rule))),
      ...judge(subject, () => aggregationProblems(subject, facts)),
    ];
  },
  checkCluster: judgeCluster,
};

const WHY = 'OLM acts as cluster-admin, and so would they';

function judgeRule(subject: Subject, rule: ObjectReader): Finding[] {
  const message = (right: string): string =>
    `${subject.title} should not grant ${right} in ${rule.path}: OLM acts as cluster-admin, and so would its holders.`;
  return [...judge(subject, () => (writesBy([rule]) ?? []).map(message)), ...unreadWords(subject, rule)];
}

/** The rights to write that these rules grant. no-wildcard-rbac judges a role that grants everything. */
function writesBy(rules: readonly ObjectReader[]): readonly string[] | undefined {
  const way = known(() => grantsEverything(rules)) === true ? undefined : wayOf(rules, true);
  return way?.isDirect === true ? way.rights : undefined;
}

function aggregationProblems({ object, title }: Subject, { cluster }: Facts): string[] {
  if (!object.has('aggregationRule')) return [];
  if (cluster?.clusterRoles === undefined) throw new UnknownValue('the roles that it gathers could not be read');
  const gathered = rulesOf(object, cluster.clusterRoles).slice(object.list('rules').length);
  const rights = writesBy(gathered);
  if (rights === undefined) return [];
  return [`${title} should not gather roles that grant ${rights.join(', ')}: ${WHY}.`];
}

/** Roles that every cluster has, with known rules. no-wildcard-rbac judges the first one. */
const BUILT_IN: readonly string[] = [CLUSTER_ADMIN, 'admin', 'edit', 'view'];

function bindingProblems({ object, title }: Subject, facts: Facts, settings: Settings): string[] {
  const listed = writersOf(words(settings, 'writers'));
  if (known(() => readHolders(object).every((holder) => isListed(holder, listed))) === true) return [];
  const role = roleOf(object);
  const given = `${title} should not give ${holdersOf(object)} the role ${role}`;
  if (words(settings, 'exempt').includes(`ClusterRole ${role}`)) {
    return [`${given}, which is exempt because of its holder and writes ClusterExtensions or ClusterCatalogs.`];
  }
  const clusterRoles = facts.cluster?.clusterRoles;
  if (clusterRoles === undefined && ![...BUILT_IN, ...(facts.declaredRoles ?? [])].includes(role)) {
    throw new UnknownValue(`what ClusterRole ${role} grants could not be read`);
  }
  const live = clusterRoles?.find((each) => each.text('metadata', 'name') === role);
  const rules = live === undefined ? [] : rulesOf(live, clusterRoles ?? []);
  const way = grantsEverything(rules) ? undefined : wayOf(rules, true);
  return way === undefined ? [] : [`${given}, which grants ${way.rights.join(', ')}: ${WHY}.`];
}

/** Everybody in a cluster who can write, and whether that is expected. Without OLM there is nothing to write. */
function judgeCluster({ access }: ClusterFacts, settings: Settings): ClusterVerdict {
  if (access === undefined || access.controllers.length === 0) return { findings: [], expected: [] };
  const isAdmin = actsAsClusterAdmin(access);
  const all = olmWriters(access, words(settings, 'writers'));
  const surprising = all.filter(({ expected }) => expected === undefined);
  return {
    findings: [
      ...surprising.map((writer) => surprise(writer, isAdmin, access.writers !== undefined)),
      ...olmReach(access, words(settings, 'writers')),
    ],
    expected: all.flatMap((writer) =>
      writer.expected === undefined
        ? []
        : [`${writer.subject.title} lets ${describeWriter(writer)}: ${writer.expected}.`],
    ),
  };
}

function surprise(writer: OlmWriter, isAdmin: boolean, isGuarded: boolean): Finding {
  const { subject, way } = writer;
  // The guard cannot tell an impersonator from the person they impersonate.
  const isHeld = isGuarded && way.isGuarded;
  const later = 'OLM does not act as cluster-admin here, but does from 1.11 on';
  const why = isHeld ? 'only the guard of olm.writers refuses it' : isAdmin ? WHY : later;
  const message = `${subject.title} should not let ${describeWriter(writer)}: ${why}.`;
  return { subject, message, kind: isAdmin && !isHeld ? 'violation' : 'note' };
}
