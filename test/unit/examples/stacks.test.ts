import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import yaml from 'js-yaml';
import { layoutOf } from '../../../cluster/embedded/layout.ts';
import { readSettings, settingsPath } from '../../../cluster/embedded/settings.ts';
import { MIRRORED_SERVING } from '../../../cluster/mirror/images.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';
import { objectsAt, textAt } from '../../../packages/lib/json.ts';
import { ENGINE_TABLES } from '../../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS } from '../../../packages/render/onwards/table.ts';
import { render } from '../../../packages/render/render.ts';
import { contextWith } from '../../support/people/stacks.ts';

const { registry } = layoutOf(readSettings(settingsPath({})));

/** What the dev environment pushes into the embedded cluster's registry, and examples may run. */
const EMBEDDED = ['demo-runtime', ...MIRRORED_SERVING.map((name) => `mirror/${name}`)].map(
  (name) => `${registry}/${name}`,
);

/** What anybody can pull. */
const PUBLIC = [
  ...Object.values(ENGINE_TABLES).flatMap(({ revisions }) => revisions.map(({ image }) => image)),
  ...ONWARDS_REVISIONS.map(({ image }) => image),
].map((image) => image?.repository);

/** The repositories of all containers that a stack becomes. */
function repositoriesOf(file: string): string[] {
  const stack = yaml.load(readFileSync(file, 'utf8')) as InferenceStack;
  const { objects } = render(stack, contextWith());
  const images = objects
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap((object) =>
      ['initContainers', 'containers'].map((list) => objectsAt(object, 'spec', 'template', 'spec', list)),
    )
    .flat()
    .map((container) => textAt(container, 'image').replace(/(?:@|:[^/]*$).*/, ''));
  return [...new Set(images)];
}

function isForEmbedded(file: string): boolean {
  return /cluster: embedded$/m.test(readFileSync(join(dirname(file), 'Pulumi.example.yaml'), 'utf8'));
}

describe('the stacks of the examples', () => {
  const files = globSync('examples/*/stack*.yaml');

  for (const file of files.filter(isForEmbedded)) {
    it(`take every image from the registry of the embedded cluster, so that they can be applied as they are: ${file}`, () => {
      const repositories = repositoriesOf(file);
      assert.ok(repositories.length > 0);
      for (const repository of repositories) assert.ok(EMBEDDED.includes(repository), repository);
    });
  }

  for (const file of files.filter((each) => !isForEmbedded(each))) {
    it(`take only public images where the cluster is another one: ${file}`, () => {
      const repositories = repositoriesOf(file);
      assert.ok(repositories.length > 0);
      for (const repository of repositories) assert.ok(PUBLIC.includes(repository), repository);
    });
  }

  it('are there for both', () => {
    assert.deepEqual([...new Set(files.map(isForEmbedded))].sort(), [false, true]);
  });
});
