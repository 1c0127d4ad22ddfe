import assert from 'node:assert/strict';
import type { Settings } from '../../../../infra/config/schema.ts';
import { installsAs, warnOfVersion } from '../../../../infra/olm/version.ts';

const settings = (mode: Settings['olm']['mode'], version: string): Pick<Settings, 'olm'> =>
  ({ olm: { mode, version } }) as Settings;
const name = 'clusterextensions.olm.operatorframework.io';
const crd = (required: readonly string[]): object => {
  const spec = { properties: { namespace: {} }, required };
  return { metadata: { name }, spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec } } } }] } };
};
const cluster = (required: readonly string[], version?: string): Parameters<typeof installsAs>[1] =>
  ({ olm: { labels: {}, definition: crd(required), version } }) as Parameters<typeof installsAs>[1];

describe('the OLM that operators are installed by', () => {
  it('installs as its version does where this program installs it, whatever is there now', () => {
    assert.equal(installsAs(settings('install', '1.11.0'), cluster(['serviceAccount'])), 'cluster-admin');
    assert.equal(installsAs(settings('adopt', '1.10.0'), {}), 'account');
  });

  it('installs as its CRD says where it is somebody else’s, whatever version the settings name', () => {
    assert.equal(installsAs(settings('existing', '1.11.0'), cluster(['serviceAccount'])), 'account');
    assert.equal(installsAs(settings('existing', '1.5.1'), cluster([])), 'cluster-admin');
    assert.equal(installsAs(settings('existing', '1.5.1'), {}), 'account');
  });

  it('is warned of where nobody has tried it', () => {
    const said = (...args: Parameters<typeof settings>): string => {
      const messages: string[] = [];
      warnOfVersion(settings(...args), cluster([], '1.4.0'), (message) => messages.push(message));
      return messages.join('\n');
    };
    assert.equal(said('install', '1.11.0'), '');
    assert.match(said('existing', '1.11.0'), /^olm\.version: is older than 1\.5\.1/);
    assert.match(said('install', '1.12.0'), /^OLM 1\.12\.0 is not among the versions/);
  });
});
