import assert from 'node:assert/strict';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { forbiddenInCheckout, readManifests } from '../../../../maintenance/rooms/check.ts';
import { forbiddenImports, type Manifest } from '../../../../maintenance/rooms/imports.ts';
import { readRooms } from '../../../../maintenance/rooms/rooms.ts';

const ROOMS = readRooms(`
lib: { holds: Words., because: Everybody uses it., uses: [] }
kube: { holds: The API., because: It knows no stack., uses: [lib] }
cli/core: { holds: Words of commands., because: Commands use it., uses: [lib], without: [semver] }
cli: { holds: Commands., because: People touch it., uses: [lib, kube, cli/core] }
test: { holds: Tests., because: They see all., uses: all }
`);

const ROOMS_OF_POLICIES = readRooms(`
policies/x: { holds: A part., because: It is apart., uses: [] }
policies: { holds: The pack., because: It travels., uses: [policies/x] }
`);

const MANIFESTS = new Map<string, Manifest>([
  ['lib', { name: '@fleet/lib', packages: new Set(['js-yaml', '@pulumi/pulumi']) }],
  ['kube', { name: '@fleet/kube', packages: new Set() }],
  ['cli/core', { name: '', packages: new Set(['semver']) }],
  ['cli', { name: '@fleet/cli', packages: new Set(['semver']) }],
]);

function problems(path: string, ...lines: string[]): string[] {
  return forbiddenImports(ROOMS, MANIFESTS, { path, text: lines.join('\n') }).map(formatProblem);
}

describe('imports between rooms', () => {
  it('go down, and stay inside of a room', () => {
    const text = ["import './b.ts';", "import { a } from '../lib/a.ts';", "export * from '../kube/a.ts';"];
    assert.deepEqual(problems('cli/a.ts', ...text), []);
    assert.deepEqual(problems('test/unit/a.test.ts', "import '../../cli/a.ts';"), []);
  });

  for (const [form, text] of Object.entries({
    'import of values': "import { a } from '../cli/a.ts';",
    'import of types': "import type { A } from '../cli/a.ts';",
    'import for its effect': "import '../cli/a.ts';",
    'import while it runs': "const a = await import('../cli/a.ts');",
    'type of a module': "type A = typeof import('../cli/a.ts');",
    're-export': "export { a } from '../cli/a.ts';",
    'package name': "import { a } from '@fleet/cli/a';",
  })) {
    it(`are refused upwards with the reason: ${form}`, () => {
      const [problem, ...others] = problems('kube/b.ts', '', text);
      assert.match(
        problem ?? '',
        /^kube\/b\.ts:2: .*: kube may not use cli\. It knows no stack\. It may use lib: move /,
      );
      assert.deepEqual(others, []);
    });
  }

  it('are not seen in a method that is called like the function of Node', () => {
    assert.deepEqual(problems('kube/b.ts', "config.require('semver');"), []);
    assert.match(problems('kube/b.ts', "require('semver');")[0] ?? '', /does not declare/);
  });

  it('are refused out of a room inside of another, which may use it', () => {
    assert.deepEqual(problems('cli/a.ts', "import './core/a.ts';"), []);
    assert.match(problems('cli/core/a.ts', "import '../a.ts';")[0] ?? '', /cli\/core may not use cli\./);
  });

  it('are refused out of every room', () => {
    assert.match(problems('lib/a.ts', "import '../elsewhere/a.ts';")[0] ?? '', /lib may not use elsewhere\/a\.ts/);
    assert.match(problems('elsewhere/a.ts')[0] ?? '', /elsewhere\/a\.ts: is not in a room/);
  });

  it('are of npm packages that the room declares', () => {
    assert.deepEqual(
      problems('lib/a.ts', "import 'node:fs';", "import '@pulumi/pulumi/queryable';", "import 'js-yaml';"),
      [],
    );
    const [problem] = problems('cli/a.ts', "import yaml from 'js-yaml';");
    assert.match(
      problem ?? '',
      /cli\/a\.ts:1: js-yaml: is an npm package that the room does not declare\. Declare it in/,
    );
  });

  it('are not of npm packages that the room does without', () => {
    assert.deepEqual(problems('cli/core/a.ts', "import 'semver';"), [
      'cli/core/a.ts:1: semver: cli/core may not use this npm package. Commands use it.',
    ]);
    assert.deepEqual(problems('cli/a.ts', "import 'semver';"), []);
  });

  it('are of the nearest package.json, where the room has none', () => {
    const manifests = readManifests(ROOMS_OF_POLICIES);
    assert.ok(manifests.get('policies/x')?.packages.has('@pulumi/policy'));
    assert.deepEqual(
      ['policies/x', 'policies'].map((room) => manifests.get(room)?.name),
      ['', '@inference-stack-fleet/policies'],
    );
  });

  it('are all allowed in this checkout', () => {
    assert.deepEqual(forbiddenInCheckout().map(formatProblem), []);
  });
});
