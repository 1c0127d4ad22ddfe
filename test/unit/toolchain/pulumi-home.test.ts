import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pluginVariables } from '../../../cli/environment/pulumi.ts';
import { pulumiHome } from '../../../toolchain/pulumi-home.ts';

describe('the home that Pulumi gets', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'pulumi-home-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const PROGRAMS = { pulumi: {}, 'pulumi-resource-kubernetes': { plugin: 'resource-kubernetes@4.25.0' } };

  it('has the plugins of the checkout where Pulumi looks for installed ones', () => {
    const bin = join(directory, 'bin');
    const home = join(directory, 'home');
    const places = { programs: PROGRAMS, bin, home };
    assert.equal(pulumiHome(places), undefined);
    mkdirSync(bin);
    writeFileSync(join(bin, 'pulumi-resource-kubernetes'), 'the provider');
    // The second time it is there already.
    for (let time = 0; time < 2; time += 1) assert.equal(pulumiHome(places), home);
    assert.deepEqual(readdirSync(join(home, 'plugins')), ['resource-kubernetes-v4.25.0']);
    const installed = join(home, 'plugins', 'resource-kubernetes-v4.25.0', 'pulumi-resource-kubernetes');
    assert.equal(readFileSync(installed, 'utf8'), 'the provider');
  });

  it('has no place for a log of every property of every run, even where one was kept before', () => {
    const home = join(directory, 'home');
    mkdirSync(join(home, 'logs'), { recursive: true });
    writeFileSync(join(home, 'logs', 'dev.log'), 'everything');
    assert.equal(pulumiHome({ programs: {}, bin: join(directory, 'bin'), home }), home);
    assert.throws(() => mkdirSync(join(home, 'logs'), { recursive: true }), { code: 'EEXIST' });
  });

  it('does not change where a person is logged in', () => {
    const given = (env: Record<string, string>): string | undefined =>
      pluginVariables(env, '/home')['PULUMI_CREDENTIALS_PATH'];
    assert.match(given({}) ?? '', /\/\.pulumi$/);
    assert.equal(given({ PULUMI_HOME: '/mine' }), '/mine');
    assert.equal(given({ PULUMI_HOME: '/mine', PULUMI_CREDENTIALS_PATH: '/keys' }), '/keys');
  });
});
