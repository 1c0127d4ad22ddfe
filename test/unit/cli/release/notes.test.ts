import assert from 'node:assert/strict';
import type { Finding } from '../../../../cli/release/finding.ts';
import { releaseNotes, type ReleaseFacts } from '../../../../cli/release/notes.ts';

const FACTS: ReleaseFacts = {
  version: '3.0.1',
  channel: 'candidate',
  previous: '3.0.0',
  findings: [],
  images: { controller: 'registry.example.com/operator@sha256:abc' },
  files: { '[catalog/catalog.lock.yaml](../../catalog/catalog.lock.yaml)': 'sha256:def' },
  graph: 'graph LR\n',
  signed: true,
};

const RESTART: Finding = {
  area: 'stacks',
  effect: 'breaking',
  object: 'Deployment chat of the running stack kubernetes/chat',
  path: 'spec.template',
  message: 'restarts the pods',
};

describe('the notes of a release', () => {
  const says = (facts: Partial<ReleaseFacts>): string => releaseNotes({ ...FACTS, ...facts });

  it('say what an upgrade does to what runs', () => {
    assert.match(says({}), /Compared with 3\.0\.0, .*: nothing\. No pod restarts, and no object changes\./);
    assert.match(says({ previous: undefined }), /There was no release before, so no stack runs on one\./);
    const replicas = { ...RESTART, effect: 'change', message: 'differs' } as const;
    assert.match(says({ findings: [replicas] }), /: no pod restarts\. The lists below name each object\./);
    assert.match(says({ findings: [RESTART] }), /: \*\*pods restart\*\*\. /);
  });

  it('list what differs by what it means, and whether somebody signed', () => {
    const more: Finding = { area: 'metrics', effect: 'addition', object: 'Metric more', path: '', message: 'is new' };
    const text = says({ findings: [RESTART, more], signed: false });
    assert.match(text, /### What breaks\n\n- Deployment chat .*: `spec\.template` restarts the pods\n/);
    assert.match(text, /### What is new\n\n- Metric more: is new\n/);
    assert.ok(!text.includes('What else differs'));
    assert.match(text, /The images are not signed\./);
  });

  it('say which versions of the API and which revisions of engines are served', () => {
    assert.match(
      says({}),
      /serves \[v1alpha1 and v1beta1\]\(.*\) of the API; new stacks get the \[revisions\]\(.*\) vllm \d+, .*, onwards \d+\./,
    );
  });

  it('have the upgrades and the checksums', () => {
    assert.match(says({}), /```mermaid\ngraph LR\n```/);
    assert.match(says({}), /\| controller \| `registry\.example\.com\/operator@sha256:abc` \|\n\| \[catalog/);
  });
});
