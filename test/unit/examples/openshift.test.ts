import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { main } from '../../../cli/main.ts';
import { buildBundle } from '../../../components/bundle/bundle.ts';
import { objectAt, objectsAt, textAt, type OpenObject } from '../../../packages/lib/json.ts';
import { recordingIo } from '../../support/people/recording-io.ts';

const FOLDER = 'examples/openshift';
const IDS = /\b(?:runAsUser|runAsGroup|fsGroup|supplementalGroups)\b/;

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

async function rendered(...options: readonly string[]): Promise<readonly OpenObject[]> {
  const io = recordingIo({ 'stack.yaml': read('stack.yaml') });
  assert.equal(await main(['render', '-f', 'stack.yaml', '-o', 'json', ...options], io), 0, io.stderr());
  return objectsAt(JSON.parse(io.stdout()), 'items');
}

describe('on OpenShift', () => {
  it('a stack gets no user and no group, and elsewhere it does', async () => {
    assert.doesNotMatch(JSON.stringify(await rendered('--assigned-ids')), IDS);
    assert.match(JSON.stringify(await rendered()), IDS);
  });

  it('a stack needs no more than restricted-v2 allows', async () => {
    const pods = (await rendered('--assigned-ids')).map((object) => objectAt(object, 'spec', 'template', 'spec'));
    const containers = pods.flatMap((pod) => [...objectsAt(pod, 'initContainers'), ...objectsAt(pod, 'containers')]);
    assert.ok(containers.length >= 3, 'a gateway with its keeper of routes, and an engine');
    for (const { securityContext } of containers) {
      assert.equal(objectAt(securityContext)['allowPrivilegeEscalation'], false);
      assert.deepEqual(objectAt(securityContext, 'capabilities')['drop'], ['ALL']);
    }
    assert.doesNotMatch(JSON.stringify(pods), /hostPath|hostNetwork":true|hostPID":true|privileged":true/);
  });

  it('an operator asks for no user and no group', () => {
    const args = { version: 'v1.0.0', crdVersion: 'v1beta1', created: new Date(0) };
    const { files } = buildBundle({ ...args, controllerImage: `example.com/operator@sha256:${'a'.repeat(64)}` });
    assert.doesNotMatch([...files.values()].join(''), IDS);
  });

  it('the environment installs no OLM', () => {
    const { config } = yaml.load(read('Pulumi.example.yaml')) as { config: OpenObject };
    assert.equal(textAt(config['inference-stack-fleet:olm'], 'mode'), 'existing');
  });

  it('the constraints for images of one user give that, and nothing else', () => {
    const scc = yaml.load(read('scc.yaml')) as OpenObject;
    const allowed = Object.entries(scc).filter(([key, value]) => key.startsWith('allow') && value === true);
    assert.deepEqual(allowed, []);
    assert.deepEqual([scc['requiredDropCapabilities'], scc['groups']], [['ALL'], []]);
    assert.deepEqual(scc['runAsUser'], { type: 'MustRunAs', uid: 1000 });
    assert.doesNotMatch(JSON.stringify(scc['volumes']), /hostPath|\*/);
  });
});
