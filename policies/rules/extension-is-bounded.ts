import { majorOfChannel } from '../../packages/api/channels.ts';
import { extensionName } from '../../packages/api/operator-names.ts';
import { majorsOf, onlyMajorOf } from '../../components/catalog/range-majors.ts';
import { CATALOG_NAME_LABEL } from '../../components/catalog/served-catalog.ts';
import { parseVersionRange } from '../../components/catalog/version-range.ts';
import { ROLLBACK_ANNOTATION } from '../../components/fleet/operator.ts';
import { FLEET_PACKAGES, isExtension, packageOf } from '../knowledge/olm/extension.ts';
import { ALWAYS_MANDATORY } from '../knowledge/levels.ts';
import type { ObjectReader } from '../knowledge/objects/object-reader.ts';
import { judge, words } from '../knowledge/rule.ts';
import type { Finding, ObjectRule, Subject } from '../knowledge/rule.ts';

export const extensionIsBounded: ObjectRule = {
  scope: 'object',
  name: 'extension-is-bounded',
  title: 'Extensions stay inside one major version',
  description:
    'Name, channel and version of a ClusterExtension stay inside one major version, and its catalog is selected.',
  severity: 'high',
  levels: ALWAYS_MANDATORY,
  remedy: 'Name the extension <package>-v<major>, give it one channel of that major, and select one catalog by name.',
  settings: FLEET_PACKAGES,
  check: (subject, _facts, settings) => {
    if (subject.isPartial === true && isExtension(subject.object)) return [unseen(subject)];
    const packageName = isExtension(subject.object) ? (packageOf(subject.object) ?? '') : '';
    if (!words(settings, 'packages').includes(packageName)) return [];
    return CHECKS.flatMap((check) => judge(subject, () => check(subject, packageName)));
  },
};

/** A patch is judged together with its extension. If the cluster does not show the extension, only this is reported. */
function unseen(subject: Subject): Finding {
  const message = `${subject.title}: the extension that it patches is not known, so the patch is not judged.`;
  return { subject, message, kind: 'unknown' };
}

type Check = (subject: Subject, packageName: string) => string[];

const CHECKS: readonly Check[] = [nameAndChannel, versionRange, catalogSelector, upgradePolicy];

function nameAndChannel({ object, title }: Subject, packageName: string): string[] {
  const channels = object.strings('spec', 'source', 'catalog', 'channels');
  const [channel, ...more] = channels;
  if (channel === undefined) {
    return [`${title} should name its channel, such as stable-v3: without one it takes the highest major there is.`];
  }
  if (more.length > 0) return [`${title} should name one channel, not ${channels.length}: ${channels.join(', ')}.`];
  const major = majorOfChannel(channel);
  if (major === undefined) {
    return [`${title} should use a channel of one major, such as stable-v3, not ${channel}.`];
  }
  const expected = extensionName(packageName, major);
  if (object.text('metadata', 'name') === expected) return [];
  return [`${title} should be named ${expected}, as channel ${channel} says: the name keeps a second one out.`];
}

function versionRange({ object, title }: Subject): string[] {
  const text = object.text('spec', 'source', 'catalog', 'version');
  if (text === undefined || text === '') return [];
  const range = parseVersionRange(text);
  if (range === undefined)
    return [`${title} should have a version range that OLM can read, not ${JSON.stringify(text)}.`];
  const major = onlyMajorOf(range);
  const named = channelMajor(object);
  if (major === undefined) {
    const { majors, open } = majorsOf(range);
    const list = majors.length === 0 ? 'none' : `${majors.join(', ')}${open ? ' and higher' : ''}`;
    return [`${title} should have a version range inside one major; ${JSON.stringify(text)} admits majors: ${list}.`];
  }
  if (named === undefined || named === major) return [];
  return [
    `${title} should have a version of major ${named}, as its channel says; ${JSON.stringify(text)} is of major ${major}.`,
  ];
}

function channelMajor(object: ObjectReader): number | undefined {
  const majors = new Set(object.strings('spec', 'source', 'catalog', 'channels').map(majorOfChannel));
  return majors.size === 1 ? [...majors][0] : undefined;
}

function catalogSelector({ object, title }: Subject): string[] {
  const name = object.text('spec', 'source', 'catalog', 'selector', 'matchLabels', CATALOG_NAME_LABEL);
  if (name !== undefined && name !== '') return [];
  return [`${title} should select its catalog by the label ${CATALOG_NAME_LABEL}: else any failing catalog stops it.`];
}

function upgradePolicy({ object, title }: Subject): string[] {
  const source = object.child('spec', 'source', 'catalog');
  const rollback = object.text('metadata', 'annotations', ROLLBACK_ANNOTATION);
  if (source.text('upgradeConstraintPolicy') !== 'SelfCertified') return [];
  if (rollback !== undefined && rollback === source.text('version')) return [];
  return [
    `${title} should use upgradeConstraintPolicy CatalogProvided, or declare its version in annotation ${ROLLBACK_ANNOTATION}.`,
  ];
}
