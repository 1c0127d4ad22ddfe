import { describeWrongInputs, type WrongInput } from '../../support/people/wrong-inputs/wrong-input.ts';

const HERE = 'Check the path, and the folder that you are in.';
const LATIN_1 = Buffer.from('kind: Caf\xe9\n', 'latin1');
const UTF_16 = Buffer.from('\uFEFFkind: List\n', 'utf16le');
const INDENTATION = 'Check the indentation and the quotes there, and a line above.';

/** A command that reads a file, and what has to be there beside it. */
type Reader = (file: string) => Pick<WrongInput, 'args' | 'files'>;

const LOCK = 'package: inference-stack-operator\nversions: []\n';
const TEMPLATE = 'Schema: olm.semver\nGenerateMajorChannels: true\n';
const DIGEST = `sha256:${'0'.repeat(64)}`;
const RELEASED = { 't.yaml': TEMPLATE, 'l.yaml': LOCK, 'd.yaml': '' };
const state = (given: Partial<Record<'-f' | '--lock' | '--deprecations', string>>): string[] =>
  Object.entries({ '-f': 't.yaml', '--lock': 'l.yaml', '--deprecations': 'd.yaml', ...given }).flat();

const READERS: Readonly<Record<string, Reader>> = {
  'fleet explain -f': (file) => ({ args: ['explain', '-f', file] }),
  'fleet render -f': (file) => ({ args: ['render', '-f', file] }),
  'fleet migrate --values': (file) => ({ args: ['migrate', '--values', file] }),
  'fleet audit --config': (file) => ({ args: ['audit', '--config', file] }),
  'fleet catalog render -f': (file) => ({ args: ['catalog', 'render', '-f', file] }),
  'fleet catalog render --lock': (file) => ({
    args: ['catalog', 'render', '-f', 't.yaml', '--lock', file],
    files: RELEASED,
  }),
  'fleet catalog render --deprecations': (file) => ({
    args: ['catalog', 'render', '-f', 't.yaml', '--deprecations', file],
    files: RELEASED,
  }),
  'fleet catalog check -f': (file) => ({ args: ['catalog', 'check', '-f', file, '--lock', 'l.yaml'], files: RELEASED }),
  'fleet catalog check --lock': (file) => ({
    args: ['catalog', 'check', '-f', 't.yaml', '--lock', file],
    files: RELEASED,
  }),
  'fleet catalog promote --deprecations': (file) => ({
    args: ['catalog', 'promote', '--version', 'v1.0.0', ...state({ '--deprecations': file })],
    files: RELEASED,
  }),
  'fleet catalog withdraw --lock': (file) => ({
    args: ['catalog', 'withdraw', '--version', 'v1.0.0', '--reason', 'no', ...state({ '--lock': file })],
    files: RELEASED,
  }),
  'fleet catalog render --ca': (file) => ({
    args: ['catalog', 'render', '-f', 't.yaml', '--ca', file],
    files: { 't.yaml': `${TEMPLATE}Stable: { Bundles: [{ Image: 'localhost:1/a:1.0.0' }] }\n` },
  }),
  'fleet manifests --pull-secret': (file) => ({
    args: ['manifests', '--catalog-image', `localhost:1/a@${DIGEST}`, '--operator', '3', '--pull-secret', file],
  }),
};

/** Files that cannot be read, whoever reads them. */
const UNREADABLE: Readonly<Record<string, readonly [files: NonNullable<WrongInput['files']>, says: string]>> = {
  'is not there': [{}, `x.yaml: there is no such file. ${HERE}`],
  'has nearly the name of another': [
    { 'stack.yaml': '' },
    'stakc.yaml: there is no such file. Did you mean stack.yaml?',
  ],
  'is in a folder that is not there': [
    { 'folder/': '' },
    'nowhere/x.yaml: there is no such file. Its folder does not exist either.',
  ],
  'is inside of a file': [{ 'a-file': '' }, 'a-file/x.yaml: a part of its path is a file. Check the path.'],
  'is Latin-1': [{ 'x.yaml': LATIN_1 }, 'x.yaml: line 1: is not UTF-8 text. Save it as UTF-8.'],
  'is UTF-16': [{ 'x.yaml': UTF_16 }, 'x.yaml: is not UTF-8 text. Save it as UTF-8.'],
};

for (const [reader, read] of Object.entries(READERS)) {
  const inputs = Object.entries(UNREADABLE).map(([title, [files, says]]): [string, WrongInput] => {
    const [file = ''] = says.split(':');
    const { args, files: beside = {} } = read(file);
    return [title, { args, files: { ...beside, ...files }, says }];
  });
  describeWrongInputs(`a file for ${reader} that`, Object.fromEntries(inputs));
}

/** Mistakes in YAML that the parser finds. */
const YAML_MISTAKES: Readonly<Record<string, readonly [text: string, says: string]>> = {
  'has a colon too many': ['a: b: c\n', `line 1, column 5: bad indentation of a mapping entry. ${INDENTATION}`],
  'is indented by tabs': [
    'a:\n\tb: 1\n',
    'line 2, column 1: tab characters must not be used in indentation. Indent by spaces.',
  ],
  'has a key twice': ['a: 1\na: 2\n', 'line 2, column 1: duplicated mapping key. Leave one of the two.'],
  'leaves a quote open': [
    'a: "b\n',
    'line 2, column 1: unexpected end of the stream within a double quoted scalar. Close the quotes or brackets that are opened there.',
  ],
  'begins a text with an asterisk': [
    'a: *secret\n',
    'line 1, column 11: unidentified alias. Put texts that begin with * in quotes.',
  ],
  'has a tag that nobody knows': [
    'a: !secret b\n',
    'line 1, column 13: unknown tag. Put texts that begin with ! in quotes.',
  ],
  'begins a text with a backtick': [
    'a: `b`\n',
    'line 1, column 4: bad indentation of a mapping entry. Check the indentation and the quotes there, and a line above.',
  ],
};

const YAML_READERS = [
  'fleet explain -f',
  'fleet migrate --values',
  'fleet catalog check -f',
  'fleet catalog check --lock',
];

for (const reader of YAML_READERS) {
  const inputs = Object.entries(YAML_MISTAKES).map(([title, [text, says]]): [string, WrongInput] => {
    const { args, files = {} } = READERS[reader]?.('x.yaml') ?? { args: [] };
    return [title, { args, files: { ...files, 'x.yaml': text }, says: `x.yaml: is not valid YAML: ${says}` }];
  });
  describeWrongInputs(`YAML for ${reader} that`, Object.fromEntries(inputs));
}

describeWrongInputs('a folder where a file is wanted', {
  'for fleet catalog render': {
    args: ['catalog', 'render', '-f', 'folder'],
    files: { 'folder/': '' },
    says: 'folder: is a folder. Name a file in it.',
  },
  'for fleet migrate': {
    args: ['migrate', '--values', 'folder'],
    files: { 'folder/': '' },
    says: 'folder: is a folder. Name a file in it.',
  },
});
