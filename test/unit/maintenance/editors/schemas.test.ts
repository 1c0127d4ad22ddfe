import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv, { type ErrorObject } from 'ajv';
import yaml from 'js-yaml';
import { environmentSchema } from '../../../../maintenance/editors/environment.ts';
import { stackSchema } from '../../../../maintenance/editors/stack.ts';
import { objectAt, objectsAt, textAt } from '../../../../packages/lib/json.ts';
import { stackWith } from '../../../support/people/stacks.ts';
import { VALIDATION_CASES } from '../../../support/people/validation-cases/index.ts';

/** What an editor would underline in a document. */
function underlined(schema: object): (document: unknown) => string[] {
  const validate = new Ajv({ unknownFormats: 'ignore', schemaId: '$id' }).compile(schema);
  return (document) => {
    void validate(document);
    return (validate.errors ?? []).map((error: ErrorObject) => `${error.dataPath} ${error.message ?? ''}`);
  };
}

const documents = (pattern: string): (readonly [file: string, document: unknown])[] =>
  globSync(pattern).flatMap((file) =>
    yaml.loadAll(readFileSync(file, 'utf8')).map((document) => [file, document] as const),
  );

describe('what editors know of a stack', () => {
  const check = underlined(stackSchema());

  it('leaves every example alone', () => {
    const stacks = documents('examples/**/*.yaml').filter(
      ([, document]) => textAt(document, 'kind') === 'InferenceStack',
    );
    assert.ok(stacks.length > 5);
    for (const [file, stack] of stacks) assert.deepEqual(check(stack), [], file);
  });

  it('agrees with the API about structure', () => {
    for (const { title, spec, name, path } of VALIDATION_CASES) {
      // Rules over several fields, and names, are not for editors.
      if (path === undefined && !/as many|null/.test(title)) assert.deepEqual(check(stackWith(spec, name)), [], title);
    }
  });

  it('finds slips in the parts that the CRD leaves open', () => {
    const probe = stackWith({ gateway: { livenessProbe: { httpGet: { port: 80 }, initialDelay: 3 } } });
    assert.deepEqual(check(probe), ['.spec.gateway.livenessProbe should NOT have additional properties']);
    const toleration = stackWith({ applications: { llm: { tolerations: [{ effect: 'Noschedule' }] } } });
    assert.match(check(toleration).join(), /tolerations\[0\]\.effect should be equal to one of the allowed values/);
  });
});

describe("what editors know of an environment's file", () => {
  const check = underlined(environmentSchema());

  it('leaves every environment alone', () => {
    const files = [...documents('Pulumi.*.yaml'), ...documents('examples/*/Pulumi.*.yaml')];
    assert.ok(files.length > 8);
    for (const [file, environment] of files) assert.deepEqual(check(environment), [], file);
  });

  it('finds a slip in a setting, and leaves those of others alone', () => {
    const config = { 'kubernetes:context': 'a', 'inference-stack-fleet:kubeContex': 'b' };
    assert.deepEqual(check({ config }), ['.config should NOT have additional properties']);
  });

  it('takes an encrypted value for a secret', () => {
    const config = { 'inference-stack-fleet:pullSecret': { secure: 'v1:abc' } };
    assert.deepEqual(check({ config, encryptionsalt: 'v1:abc' }), []);
  });
});

describe('the schema that a file names in its first line', () => {
  const files = [...globSync('examples/*/stack*.yaml'), ...globSync('Pulumi.*.yaml')];
  it('is there, also in a copy of the checkout', () => {
    assert.ok(files.length > 10);
    for (const file of files) {
      const [first = ''] = readFileSync(file, 'utf8').split('\n');
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first) ?? [];
      assert.ok(schema !== '' && existsSync(join(dirname(file), schema)), file);
    }
  });
});

describe('the settings of VS Code', () => {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(`.vscode/${name}`, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));

  it('start the operator as `make run` does', () => {
    const [operator] = objectsAt(read('launch.json'), 'configurations');
    const [recipe = ''] = /^run: ##[^]*?\n\n/m.exec(readFileSync('Makefile', 'utf8')) ?? [];
    const variables = [...recipe.matchAll(/\b([A-Z]+_[A-Z]+)=/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(objectAt(operator, 'env')).sort(), variables.sort());
    assert.ok(recipe.includes(textAt(operator, 'program').replace('${workspaceFolder}/', 'node ')));
  });

  it('name programs and schemas that exist', () => {
    const programs = objectsAt(read('launch.json'), 'configurations').map((each) => textAt(each, 'program'));
    const files = [...programs, ...Object.keys(objectAt(read('settings.json'), 'yaml.schemas'))];
    for (const file of files) assert.ok(existsSync(file.replace('${workspaceFolder}/', '')), file);
  });
});
