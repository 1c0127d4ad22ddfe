import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../../../cli/main.ts';
import { otherChanges, readRecord, recordOf, writeRecord } from '../../../../cli/preview/record.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

interface Step {
  readonly op: string;
  readonly name: string;
  readonly before?: object;
  readonly after?: object;
}

function preview(...steps: readonly Step[]): string {
  return JSON.stringify({
    steps: steps.map(({ op, name, before, after }) => ({
      op,
      urn: `urn:pulumi:prod::fleet::kubernetes:core/v1:ConfigMap::${name}`,
      ...(before === undefined ? {} : { oldState: { inputs: before } }),
      ...(after === undefined ? {} : { newState: { inputs: after } }),
    })),
    changeSummary: { create: 1 },
  });
}

function differences(before: string, now: string): string[] {
  const problems = otherChanges(recordOf('prod', before, 'a'), recordOf('prod', now, 'b'), 'changes.json');
  return problems.map(({ path, message }) => `${path}: ${message}`.replace(/^(\S+) .*::/, '$1 '));
}

describe('the record of a preview', () => {
  const UPDATE = { op: 'update', name: 'a', before: { size: 1 }, after: { size: 2 } };
  const STOP = ': is not the change that would be applied now';

  it('is that of the same change, whatever order things have and whatever else was looked at', () => {
    const first = preview(UPDATE, { op: 'create', name: 'b', after: { x: 1, y: [{ p: 1, q: 2 }] } });
    const again = preview(
      { op: 'same', name: 'c' },
      { op: 'create', name: 'b', after: { y: [{ q: 2, p: 1 }], x: 1 } },
      UPDATE,
    );
    assert.deepEqual(differences(first, again), []);
  });

  it('tells a change that was not previewed', () => {
    assert.deepEqual(differences(preview(), preview(UPDATE)), [
      'update a: is a change that the preview did not show',
      STOP,
    ]);
  });

  it('tells one that would not happen any more, and one of another kind', () => {
    assert.deepEqual(differences(preview(UPDATE), preview({ ...UPDATE, op: 'replace' })), [
      'replace a: is a change that the preview did not show',
      'update a: was previewed, and would not happen now',
      STOP,
    ]);
  });

  it('tells other values, wanted or found', () => {
    const told = ['update a: would be made with other values than were previewed', STOP];
    assert.deepEqual(differences(preview(UPDATE), preview({ ...UPDATE, after: { size: 3 } })), told);
    assert.deepEqual(differences(preview(UPDATE), preview({ ...UPDATE, before: { size: 0 } })), told);
  });

  it('names ten differences and counts the rest', () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ op: 'create', name: `n${index}`, after: {} }));
    const told = differences(preview(), preview(...many));
    assert.equal(told.length, 11);
    assert.equal(told.at(-1), `${STOP} (and 15 more differences)`);
  });

  it('holds no value', () => {
    const text = writeRecord(recordOf('prod', preview({ ...UPDATE, after: { word: 'hidden' } }), 'a'));
    assert.doesNotMatch(text, /hidden|size/);
    assert.deepEqual(readRecord(text, 'changes.json', 'prod'), JSON.parse(text));
  });

  it('is refused for another environment, and where it is none', () => {
    const text = writeRecord(recordOf('dev', preview(UPDATE), 'a'));
    assert.throws(() => readRecord(text, 'changes.json', 'prod'), {
      message:
        'changes.json: environment: is another environment than prod (got "dev"). ' +
        'Preview again: `fleet preview-comment --record FILE` writes it.',
    });
    for (const wrong of ['', '{}', '[]', '{"environment": "prod", "changes": [{"urn": 1}]}']) {
      assert.throws(() => readRecord(wrong, 'changes.json', 'prod'), /^ProblemsError: changes\.json: .*is not /);
    }
  });
});

describe('fleet preview-comment --record', () => {
  let directory: string;
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'record-'))));
  after(() => rm(directory, { recursive: true }));

  it('writes it beside the comment', async () => {
    const file = join(directory, 'changes.json');
    const io = recordingIo({ 'preview.json': preview({ op: 'create', name: 'a', after: {} }) });
    const args = ['preview-comment', '-e', 'prod', '--preview', 'preview.json', '--record', file];
    assert.equal(await main(args, io), 0, io.stderr());
    assert.match(io.stdout(), /### Preview of `prod`/);
    assert.equal(readRecord(await readFile(file, 'utf8'), file, 'prod').changes.length, 1);
  });

  it('reads a preview from standard input once', async () => {
    const file = join(directory, 'piped.json');
    const io = recordingIo({ '-': preview({ op: 'create', name: 'a', after: {} }) });
    let reads = 0;
    const piped = { ...io, read: (path: string) => ((reads += 1) === 1 ? io.read(path) : Promise.resolve('')) };
    assert.equal(
      await main(['preview-comment', '-e', 'prod', '--preview', '-', '--record', file], piped),
      0,
      io.stderr(),
    );
    assert.equal(readRecord(await readFile(file, 'utf8'), file, 'prod').changes.length, 1);
  });

  it('writes none of a preview that failed, so that nobody can apply it', async () => {
    const file = join(directory, 'failed.json');
    const failed = JSON.stringify({ steps: [], diagnostics: [{ severity: 'error', message: 'no' }] });
    const io = recordingIo({ 'preview.json': failed });
    const args = ['preview-comment', '-e', 'prod', '--preview', 'preview.json', '--record', file];
    assert.equal(await main(args, io), 1);
    await assert.rejects(readFile(file), /ENOENT/);
  });
});
