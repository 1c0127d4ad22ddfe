import assert from 'node:assert/strict';
import { programsFile } from '../../../../toolchain/places.ts';
import { readProgramsFile } from '../../../../toolchain/programs-file.ts';
import { checkDowngrade, type ExistingOlm } from '../../../../components/olm/existing.ts';
import {
  checkOlmVersion,
  DEFAULT_OLM,
  EMBEDDED_OLM,
  OLDEST_OLM,
  olmFacts,
  untestedOlm,
} from '../../../../components/olm/versions.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

describe('versions of OLM', () => {
  it('are those that programs.yaml has sources of', () => {
    const { modules } = readProgramsFile(programsFile);
    const pinned = ['olm-oldest', 'olm', 'olm-newest'].map((name) => modules[name]?.version);
    assert.deepEqual(
      pinned,
      [OLDEST_OLM, EMBEDDED_OLM, DEFAULT_OLM].map((version) => `v${version}`),
    );
  });

  it('are refused below the oldest one, and said to be untested where nobody has tried their minor', () => {
    assert.deepEqual(['1.5.1', '1.10.0', '1.11.7', '2.0.0'].flatMap(checkOlmVersion), []);
    assert.match(checkOlmVersion('1.5.0').map(formatProblem).join(), /is older than 1\.5\.1/);
    assert.deepEqual(['1.5.1', '1.10.3', '1.11.0-rc.1'].map(untestedOlm), [undefined, undefined, undefined]);
    assert.equal(
      untestedOlm('1.12.0'),
      'OLM 1.12.0 is not among the versions that this program was tested with (1.5, 1.10, 1.11): it is treated as 1.11.',
    );
  });

  it('install with the rights of an account up to 1.10, and as cluster-admin since', () => {
    const told = ['1.5.1', '1.7.0', '1.10.0', '1.11.0-rc.1', '1.11.0', '1.12.0'].map(
      (each) => olmFacts(each).installsAs,
    );
    assert.deepEqual(told, ['account', 'account', 'account', 'cluster-admin', 'cluster-admin', 'cluster-admin']);
  });

  it('do not go back to an older minor than the one that runs', () => {
    const running = (version?: string): ExistingOlm => ({ labels: {}, ...(version === undefined ? {} : { version }) });
    assert.deepEqual(checkDowngrade('1.10.0', running('1.11.0')).map(formatProblem), [
      'Deployment olmv1-system/operator-controller-controller-manager: version: would go back from OLM 1.11.0, which has run in this cluster, and OLM supports no way back: the older one may refuse or misread what the newer one has written (got "1.10.0"). Use 1.11.0 or newer.',
    ]);
    const admitted = [running('1.10.0'), running('1.10.2'), running('1.5.1'), running(), undefined];
    assert.deepEqual(
      admitted.flatMap((existing) => checkDowngrade('1.10.1', existing)),
      [],
    );
  });
});
