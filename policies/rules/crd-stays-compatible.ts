import { crdIncompatibilities } from '../../components/api/crd-compatibility.ts';
import { differingVersions } from '../../components/api/one-schema.ts';
import type { Definition } from '../../components/api/crd-compatibility.ts';
import { GROUP } from '../../packages/api/constants.ts';
import { isObject } from '../../packages/lib/json.ts';
import { formatProblem } from '../../packages/lib/problem.ts';
import { isOurDefinition } from '../knowledge/objects/definition.ts';
import type { Facts } from '../knowledge/facts.ts';
import { ALWAYS_MANDATORY } from '../knowledge/levels.ts';
import type { ObjectReader } from '../knowledge/objects/object-reader.ts';
import { judge } from '../knowledge/rule.ts';
import type { Finding, ObjectRule, Subject } from '../knowledge/rule.ts';

export const crdStaysCompatible: ObjectRule = {
  scope: 'object',
  name: 'crd-stays-compatible',
  title: 'The API stays compatible',
  description: 'A change of the InferenceStack API takes nothing away, and no bundle owns its CRDs.',
  severity: 'critical',
  levels: ALWAYS_MANDATORY,
  remedy: 'Keep served and stored versions and their fields, and leave CRDs out of bundles.',
  check: (subject, facts) => {
    const { object } = subject;
    if (object.kind === 'ClusterCatalog') return judge(subject, () => bundleProblems(subject, facts));
    return isOurDefinition(object) ? comparison(subject, facts) : [];
  },
};

function comparison(subject: Subject, facts: Facts): Finding[] {
  if (facts.cluster === undefined) {
    const message = `${subject.title}: there is no cluster to compare it with, so compatibility is not judged.`;
    return [{ subject, message, kind: 'unknown' }];
  }
  const name = subject.object.text('metadata', 'name');
  const live = facts.cluster.definitions.find((definition) => definition.text('metadata', 'name') === name);
  if (live === undefined) return [];
  return judge(subject, () => {
    const [before, after] = [definitionOf(live), definitionOf(subject.object)];
    if (before === undefined || after === undefined)
      return [`${subject.title} should have a group, names and versions.`];
    return [...differingVersions(after), ...crdIncompatibilities(before, after)].map(formatProblem);
  });
}

/**
 * The API server, or Pulumi's provider, has checked the shape already, so it is enough that versions are there. All
 * that is compared has to be known: a schema with a missing part would look like one that requires less.
 */
function definitionOf(object: ObjectReader): Definition | undefined {
  if (!object.has('spec', 'versions') || !object.has('spec', 'names')) return undefined;
  const spec = ['group', 'scope', 'names', 'versions', 'conversion'].map(
    (key) => [key, object.plain('spec', key)] as const,
  );
  const definition = {
    metadata: { name: object.text('metadata', 'name') },
    spec: Object.fromEntries(spec),
    status: { storedVersions: object.plain('status', 'storedVersions') },
  };
  return definition as unknown as Definition;
}

/** A bundle that owns a CRD says so with an olm.gvk property. */
function bundleProblems({ object, title }: Subject, facts: Facts): string[] {
  const name = object.text('metadata', 'name');
  const catalog = facts.catalogs.find((candidate) => candidate.name === name);
  const bundles = catalog?.packages.flatMap((content) => content.bundles) ?? [];
  return bundles
    .filter(({ properties }) =>
      properties.some(({ type, value }) => type === 'olm.gvk' && isObject(value) && value.group === GROUP),
    )
    .map(
      (bundle) =>
        `${title} should not offer bundle ${bundle.name}, which brings the CRD: two majors would fight for it.`,
    );
}
