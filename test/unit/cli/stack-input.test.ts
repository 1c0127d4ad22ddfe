import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIo } from '../../../cli/io.ts';
import { main } from '../../../cli/main.ts';
import { recordingIo } from '../../support/people/recording-io.ts';

const STACK = `apiVersion: models.titanml.co/v1beta1
kind: InferenceStack
metadata: { name: chat, labels: { operatorVersion: v2 } }
spec: { applications: { llama: {} } }
`;
const JSON_STACK = {
  apiVersion: 'models.titanml.co/v1beta1',
  kind: 'InferenceStack',
  metadata: { name: 'chat', labels: { operatorVersion: 'v2' } },
  spec: {},
};
const ONLY = 'Only objects of kind InferenceStack or ModelOrchestra are read.';

/** What is wrong with a file, the file, and the one line that says so. */
const REFUSED: readonly (readonly [title: string, text: string | undefined, line: string])[] = [
  ['does not exist', undefined, 'a.yaml: there is no such file. Check the path, and the folder that you are in.'],
  ['is empty', '', 'a.yaml: is empty. Check that it is the right file.'],
  ['holds only comments', '# nothing yet\n---\n', 'a.yaml: is empty. Check that it is the right file.'],
  [
    'is not valid YAML',
    'spec:\n  a: b: c\n',
    'a.yaml: is not valid YAML: line 2, column 7: bad indentation of a mapping entry. Check the indentation and the quotes there, and a line above.',
  ],
  ['is UTF-16', 'a\0p\0i\0', 'a.yaml: is not UTF-8 text. Save it as UTF-8.'],
  ['is prose', 'hello\n', `a.yaml:1: holds no object (got "hello"). ${ONLY}`],
  ['is a list of YAML', '- a\n', `a.yaml:1: holds no object (got ["a"]). ${ONLY}`],
  [
    'holds an empty list. Check that it is the right file.',
    'apiVersion: v1\nkind: List\nitems: []\n',
    'a.yaml: holds an empty list. Check that it is the right file.',
  ],
  ['has no kind', 'spec: {}\n', `a.yaml:1: kind: is missing. ${ONLY}`],
  [
    "holds a chart's values",
    'applications: {}\n',
    "a.yaml:1: kind: is missing. Turn a chart's values into a stack with fleet migrate --values.",
  ],
  [
    'is of another kind',
    'apiVersion: v1\nkind: Secret\nmetadata: { name: hf-token }\ndata: {}\n',
    `a.yaml:1: Secret hf-token: is not an InferenceStack. ${ONLY}`,
  ],
  [
    'is of another API group',
    STACK.replace('titanml.co/v1beta1', 'titanml.co/v1'),
    'a.yaml:1: InferenceStack chat: apiVersion: must be models.titanml.co/v1alpha1 or models.titanml.co/v1beta1 (got "models.titanml.co/v1"). ' +
      'Write the newest, the last of them.',
  ],
  ['has no spec', STACK.replace(/spec: .*/, ''), 'a.yaml:1: InferenceStack chat: spec: is required. Write spec: ….'],
  [
    'has no name',
    STACK.replace('name: chat, ', ''),
    'a.yaml:3: InferenceStack: metadata.name: is required. Give the stack a name.',
  ],
  [
    'has no label operatorVersion',
    STACK.replace('operatorVersion: v2', ''),
    'a.yaml:3: InferenceStack default/chat: metadata.labels.operatorVersion: is missing, so no operator serves this stack. ' +
      "Write operatorVersion: v3 for any operator of major 3, or operatorVersion: '3.2' for 3.2 or newer.",
  ],
  [
    'has a label operatorVersion that names no version',
    STACK.replace(': v2', ': latest'),
    'a.yaml:3: InferenceStack default/chat: metadata.labels.operatorVersion: is not an operator version (got "latest"). ' +
      'Use a major such as v3, or a least version such as 3.2 or 3.2.3.',
  ],
  [
    'has a number as a label',
    STACK.replace(': v2', ': 2'),
    'a.yaml:3: InferenceStack chat: metadata.labels.operatorVersion: must be of type string (got 2). Write it in quotes.',
  ],
];

/** Other ways to write the same stack. */
const ACCEPTED: Readonly<Record<string, string>> = {
  JSON: JSON.stringify(JSON_STACK),
  'JSON indented by tabs': JSON.stringify(JSON_STACK, undefined, '\t'),
  'lines that end in CRLF': STACK.replaceAll('\n', '\r\n'),
  'a byte order mark': `\uFEFF${STACK}`,
  'a List': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [JSON_STACK] }),
  'an InferenceStackList': JSON.stringify({ kind: 'InferenceStackList', items: [JSON_STACK] }),
};

for (const command of ['explain', 'render']) {
  describe(`a file for fleet ${command}`, () => {
    for (const [title, text, line] of REFUSED) {
      it(`that ${title} gets one line, and nothing is printed`, async () => {
        const io = recordingIo(text === undefined ? {} : { 'a.yaml': text });
        assert.equal(await main([command, '-f', 'a.yaml'], io), 1);
        assert.deepEqual([io.stderr(), io.stdout()], [`${line}\n`, '']);
      });
    }

    for (const [title, text] of Object.entries(ACCEPTED)) {
      it(`may be ${title}`, async () => {
        const io = recordingIo({ 'a.yaml': text });
        assert.equal(await main([command, '-f', 'a.yaml'], io), 0, io.stderr());
        assert.match(
          io.stdout(),
          command === 'explain' ? /^InferenceStack default\/chat/ : /name: chat-inference-stack/,
        );
      });
    }
  });
}

describe('files of this machine', () => {
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'stack-input-'))));
  after(() => rmSync(directory, { recursive: true }));

  it('are reported each with what is wrong with it, all at once', async () => {
    const io = { ...recordingIo(), read: (path: string) => processIo.read(path) };
    writeFileSync(join(directory, 'utf16.yaml'), Buffer.from(`\uFEFF${STACK}`, 'utf16le'));
    const files = ['gone.yaml', 'utf16.yaml'].flatMap((name) => ['-f', join(directory, name)]);
    assert.equal(await main(['render', ...files], io), 1);
    assert.equal(
      io.stderr(),
      `${directory}/gone.yaml: there is no such file. Check the path.\n` +
        `${directory}/utf16.yaml: is not UTF-8 text. Save it as UTF-8.\n`,
    );
  });
});
