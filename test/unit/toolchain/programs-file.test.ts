import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedVersions } from '../../../toolchain/changes.ts';
import { modulesDirectory, programsFile } from '../../../toolchain/places.ts';
import { checkProgramsFile, isCompiled, readProgramsFile, select } from '../../../toolchain/programs-file.ts';

const file = readProgramsFile(programsFile);

describe('programs.yaml', () => {
  it('is pinned: each module has a go.mod of the named version and a go.sum', () => {
    for (const [name, module] of Object.entries(file.modules)) {
      const goMod = readFileSync(join(modulesDirectory, name, 'go.mod'), 'utf8');
      assert.ok(goMod.includes(`${module.path} ${module.version}`), `${name}: run make tools-lock`);
      for (const [path, version] of Object.entries(changedVersions(module))) {
        assert.ok(goMod.includes(`${path} ${version}`), `${name}: ${path} is not ${version}: run make tools-lock`);
      }
      assert.match(readFileSync(join(modulesDirectory, name, 'go.sum'), 'utf8'), / h1:/);
    }
  });

  it('says why each module has its version', () => {
    for (const [name, module] of Object.entries(file.modules)) assert.ok(module.why.length > 10, name);
  });

  it('pins the Pulumi plugins to the versions of the npm packages', () => {
    const dependenciesOf = (manifest: string): Record<string, string> =>
      (JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> }).dependencies;
    const dependencies = { ...dependenciesOf('components/package.json'), ...dependenciesOf('package.json') };
    const version = (plugin?: string): string | undefined => plugin?.split('@')[1];
    assert.equal(version(file.programs['pulumi-resource-kubernetes']?.plugin), dependencies['@pulumi/kubernetes']);
    assert.equal(version(file.programs['pulumi-resource-docker-build']?.plugin), dependencies['@pulumi/docker-build']);
    // The language host says its version when it is asked, and Pulumi looks for a plugin of that version.
    const host = version(file.programs['pulumi-language-nodejs']?.plugin) ?? '';
    assert.ok(file.modules['pulumi-language-nodejs']?.ldflags?.some((flag) => flag.endsWith(`.Version=v${host}`)));
    assert.equal(file.modules['pulumi']?.version, `v${dependencies['@pulumi/pulumi'] ?? ''}`);
  });

  it('gives a target only what it asks for, in the order of the file', () => {
    const programs = ['etcd', 'kube-apiserver', 'kubectl'];
    assert.deepEqual(select(file, ['kubectl', 'control-plane']), { programs, sharing: [] });
    assert.throws(() => select(file, ['kubelt']), /"kubelt".*Groups: control-plane, cluster/);
  });

  it('gives a target the files of its programs and of the modules that it names', () => {
    assert.deepEqual(select(file, ['catalogd', 'keda']), { programs: ['catalogd'], sharing: ['olm', 'keda'] });
    assert.deepEqual(select(file, ['olm-manifest']), { programs: [], sharing: ['olm', 'olm-oldest', 'olm-newest'] });
  });

  it('reports every name that leads nowhere', () => {
    const problems = checkProgramsFile({
      modules: {},
      programs: { a: { module: 'b', package: '.', seconds: 1 }, c: { seconds: 1 } },
      system: { h: { ip: 'iproute2' } },
      groups: { g: ['d'] },
    });
    assert.deepEqual(
      problems.map(({ path, message }) => `${path}: ${message}`),
      [
        'programs.a.module: is not a module',
        'programs.c: needs exactly one of module, debian, npm, toolchain, crate, wheel, sdist',
        'programs.c.file: is missing',
        'groups.g: names neither a program nor a module that shares files',
        'system: is not a group',
      ],
    );
  });

  it('reports what is missing of a program, by where it comes from', () => {
    const programs = {
      a: { crate: 'a', seconds: 1 },
      b: { wheel: 'b', version: '1', sha256: '0', seconds: 1 },
      c: { sdist: 'c', version: '1', sha256: '0', seconds: 1 },
      d: { debian: 'd', seconds: 1 },
    };
    const problems = checkProgramsFile({ modules: {}, programs, system: {}, groups: {} });
    assert.deepEqual(
      problems.map(({ path, message }) => `${path}: ${message}`),
      [
        'programs.a.version: is missing',
        'programs.a.sha256: is missing',
        'programs.b.file: is missing',
        'programs.c.cmake: is missing',
        'programs.d.file: is missing',
      ],
    );
  });

  it('reports another source that is not complete, or that would never be used', () => {
    const otherwise = { sdist: 'a', version: '1', cmake: '.', seconds: 1 };
    const programs = {
      a: { debian: 'a', suite: 'forky', file: 'a', seconds: 1, otherwise },
      b: { debian: 'b', file: 'b', seconds: 1, otherwise: { ...otherwise, sha256: '0' } },
    };
    const problems = checkProgramsFile({ modules: {}, programs, system: {}, groups: {} });
    assert.deepEqual(
      problems.map(({ path, message }) => `${path}: ${message}`),
      [
        'programs.a.otherwise.sha256: is missing',
        'programs.b.otherwise: is only for a package of another Debian release',
      ],
    );
  });

  it('says which programs are compiled, since that takes more room', () => {
    const compiled = (name: string): boolean | undefined => {
      const program = file.programs[name];
      return program && isCompiled(program);
    };
    assert.deepEqual(['etcd', 'onwards', 'smollm2', 'llama-server', 'runc'].filter(compiled), ['etcd', 'onwards']);
    assert.equal(isCompiled(file.programs['llama-server']?.otherwise ?? { seconds: 0 }), true);
  });
});
