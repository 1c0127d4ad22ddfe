import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { readEnvironmentFile } from '../../../../infra/config/environment-file.ts';
import { loadSettings, type ReadSettings } from '../../../../infra/config/load.ts';
import { PROJECT } from '../../../../infra/config/project.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

const FILE = 'Pulumi.test.yaml';
const ENCRYPTED = { secure: 'v1:bm90aGluZw==:c2VjcmV0' };

const VALID = {
  kubeContext: 'staging',
  operators: [{ major: 1 }],
  catalog: { source: 'image', image: 'registry.example/catalog:1' },
};

function read(written: Readonly<Record<string, unknown>>): ReadSettings & { readonly messages: readonly string[] } {
  const config = Object.fromEntries(Object.entries(written).map(([key, value]) => [`${PROJECT}:${key}`, value]));
  const found = readEnvironmentFile(yaml.dump({ config, encryptionsalt: 'v1:salt' }), FILE);
  return { ...found, messages: found.problems.map(formatProblem) };
}

describe("an environment's file", () => {
  it('is read as the program reads what Pulumi hands over', () => {
    const config = Object.entries(VALID).map(([key, value]): [string, string] => [
      `${PROJECT}:${key}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const { settings, messages } = read(VALID);
    assert.deepEqual(messages, []);
    assert.deepEqual(settings, loadSettings('test', Object.fromEntries(config)));
  });

  for (const name of ['dev', 'prod']) {
    it(`has no mistake as committed for ${name}`, () => {
      const file = `Pulumi.${name}.yaml`;
      assert.deepEqual(readEnvironmentFile(readFileSync(file, 'utf8'), file).problems, []);
    });
  }

  it('reads flags and numbers as YAML has them', () => {
    const { settings } = read({ ...VALID, cluster: 'embedded', kubeContext: undefined, demo: true });
    assert.equal(settings.demo, true);
    assert.equal(settings.operators?.[0]?.major, 1);
  });

  it('leaves out what is encrypted, without a word about it', () => {
    const images = { repository: 'registry.example', username: 'robot', password: ENCRYPTED };
    const { settings, messages } = read({ ...VALID, images, pullSecret: ENCRYPTED });
    assert.deepEqual(messages, []);
    assert.equal(settings.images?.password, undefined);
    assert.equal(settings.images?.username, 'robot');
    assert.equal(settings.pullSecret, undefined);
  });

  it('says nothing about settings that are encrypted as a whole', () => {
    const { settings, messages } = read({ ...VALID, operators: ENCRYPTED, kubeContext: ENCRYPTED });
    assert.deepEqual(messages, []);
    assert.equal(settings.operators, undefined);
  });

  it('tells every problem with the file, and still reads the rest', () => {
    const { settings, messages } = read({ ...VALID, guards: 'maybe', operators: [{ major: -1 }] });
    assert.deepEqual(messages, [
      `${FILE}: guards: must be one of deny, warn, off (got "maybe")`,
      `${FILE}: operators[0].major: must be a whole number from 0 to 9999 (got -1)`,
    ]);
    assert.equal(settings.kubeContext, 'staging');
  });

  it('without settings lacks what every environment must have', () => {
    assert.deepEqual(
      readEnvironmentFile('', FILE).problems.map(({ path }) => path),
      ['operators'],
    );
  });
});
