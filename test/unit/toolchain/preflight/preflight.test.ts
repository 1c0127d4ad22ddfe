import assert from 'node:assert/strict';
import { lackingProblems } from '../../../../toolchain/debian.ts';
import { planProgram } from '../../../../toolchain/plan.ts';
import { programsFile } from '../../../../toolchain/places.ts';
import { diskProblems, wantedModules } from '../../../../toolchain/preflight/preflight.ts';
import { readProgramsFile } from '../../../../toolchain/programs-file.ts';

describe('what is looked at before programs are made', () => {
  const file = readProgramsFile(programsFile);
  const plans = (...names: string[]): ReturnType<typeof planProgram>[] => names.map((name) => planProgram(file, name));

  it('is each module once that was not downloaded before, those of data files included', () => {
    const undertaking = { toMake: plans('kubectl', 'kubelet', 'etcd', 'runc'), sharing: ['keda'] };
    const wanted = wantedModules(file, undertaking, (path) => path.startsWith('go.etcd.io/'));
    assert.deepEqual(
      wanted.map(({ module, programs }) => [module, programs]),
      [
        ['k8s.io/kubernetes', ['kubectl', 'kubelet']],
        ['github.com/kedacore/keda/v2', []],
      ],
    );
  });

  it('is the release of Go where it has to be fetched', () => {
    const wanted = wantedModules(file, { toMake: plans('go', 'etcd'), sharing: [] }, () => true);
    assert.deepEqual(
      wanted.map(({ module }) => module),
      ['golang.org/toolchain'],
    );
  });

  it('is the room on the disk', () => {
    assert.deepEqual(diskProblems('/cache', 8, 8), []);
    assert.match(diskProblems('/cache', 8, 7.91)[0]?.message ?? '', /too little space: 8 GB/);
  });

  it('is what the system lacks, with one command that installs all of it', () => {
    const lacking = [
      { name: 'cc', packageName: 'gcc' },
      { name: '/usr/include/stdio.h', packageName: 'libc6-dev' },
    ];
    assert.deepEqual(
      lackingProblems(lacking, true).map(({ path, message }) => `${path} ${message}`),
      ['cc is not on PATH', '/usr/include/stdio.h does not exist'],
    );
    assert.match(lackingProblems(lacking, true)[0]?.remedy ?? '', /\(sudo apt-get install gcc libc6-dev\)\.$/);
    assert.equal(lackingProblems(lacking, false)[1]?.remedy, 'Install gcc, libc6-dev.');
  });
});
