import assert from 'node:assert/strict';
import { audit } from '../../../../policies/audit/audit.ts';
import { formatReport } from '../../../../policies/audit/format.ts';
import { imagesByDigest } from '../../../../policies/rules/images-by-digest.ts';
import { noWildcardRbac } from '../../../../policies/rules/no-wildcard-rbac.ts';
import { stableChannelsOnly } from '../../../../policies/rules/stable-channels-only.ts';
import { workloadsAreHardened } from '../../../../policies/rules/workloads-are-hardened.ts';
import { binding, catalog, deployment, extension } from '../../../support/policies/objects.ts';
import { NO_FACTS, subject, withChanges } from '../../../support/policies/support.ts';

const RULES = [imagesByDigest, stableChannelsOnly, noWildcardRbac];
const TAGGED = withChanges(catalog(), [['spec', 'source', 'image', 'ref'], 'docker.io/tytn/catalog:1']);
const INPUT = {
  subjects: [TAGGED, extension(2, 'fast-v2'), binding('cluster-admin')].map((object) => subject(object)),
  facts: NO_FACTS,
};

describe('an audit', () => {
  it('counts findings by level, the gravest first', () => {
    const report = audit(RULES, INPUT, 'prod');
    assert.deepEqual(
      report.findings.map(({ level, severity, rule, object }) => [level, severity, rule, object]),
      [
        ['mandatory', 'critical', 'no-wildcard-rbac', 'ClusterRoleBinding installer'],
        ['mandatory', 'high', 'images-by-digest', 'ClusterCatalog inference-stack-catalog'],
        ['mandatory', 'high', 'stable-channels-only', 'ClusterExtension inference-stack-operator-v2'],
      ],
    );
    assert.deepEqual([report.mandatory, report.advisory, report.objects], [3, 0, 3]);
  });

  it('uses the levels of development when told to', () => {
    const report = audit(RULES, INPUT, 'dev');
    assert.deepEqual(
      report.findings.map(({ level, rule }) => [level, rule]),
      [
        ['mandatory', 'no-wildcard-rbac'],
        ['advisory', 'images-by-digest'],
      ],
    );
  });

  it('takes levels and settings from a configuration', () => {
    const overrides = {
      'images-by-digest': 'disabled',
      'no-wildcard-rbac': { exempt: ['ClusterRoleBinding installer'] },
      'stable-channels-only': { enforcementLevel: 'advisory' },
    } as const;
    const report = audit(RULES, INPUT, 'prod', overrides);
    assert.deepEqual(
      report.findings.map(({ level, rule }) => [level, rule]),
      [['advisory', 'stable-channels-only']],
    );
  });

  it('is shown as a table with what to do', () => {
    assert.equal(
      formatReport(audit([imagesByDigest, noWildcardRbac], INPUT, 'dev')),
      `LEVEL      SEVERITY  RULE              FINDING
mandatory  critical  no-wildcard-rbac  ClusterRoleBinding installer should not give ServiceAccount installer the role cluster-admin.
advisory   high      images-by-digest  ClusterCatalog inference-stack-catalog should name the image of catalog by digest, not "docker.io/tytn/catalog:1".

What to do:
  no-wildcard-rbac  List the API groups, resources and verbs that are needed; the installer of a bundle is generated from the bundle.
  images-by-digest  Write the image as <name>@sha256:<digest>; in an InferenceStack, set image.digest.

3 objects, 1 mandatory finding in 1 line, 1 advisory finding in 1 line, judged by the levels of development.
`,
    );
    assert.equal(
      formatReport(audit([], INPUT, 'prod')),
      '3 objects, no findings, judged by the levels of production.\n',
    );
  });

  it('says in one row all that a rule finds about one object', () => {
    const object = withChanges(
      deployment(),
      [['spec', 'template', 'spec', 'containers', 0, 'securityContext', 'allowPrivilegeEscalation'], true],
      [['spec', 'template', 'spec', 'containers', 0, 'livenessProbe'], undefined],
    );
    const report = formatReport(
      audit([workloadsAreHardened], { subjects: [subject(object)], facts: NO_FACTS }, 'prod'),
    );
    assert.match(
      report,
      /controller: container manager should not allow privilege escalation \(allowPrivilegeEscalation: false\), have a liveness probe\.\n/,
    );
    assert.match(report, /\n1 object, 2 mandatory findings in 1 line, judged by the levels of production\.\n$/);
  });
});
