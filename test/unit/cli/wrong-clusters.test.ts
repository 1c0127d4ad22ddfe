import { describeWrongInputs, type WrongInput } from '../../support/people/wrong-inputs/wrong-input.ts';

const COPY = 'Compare it with what `kubectl config view` shows.';
const CHOOSE = '--kubeconfig and --context choose another cluster.';

interface Entries {
  readonly cluster?: unknown;
  readonly user?: unknown;
  readonly rest?: object;
}

function kubeconfig({ cluster = { server: 'http://localhost:1' }, user = {}, rest = {} }: Entries): string {
  return JSON.stringify({
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    ...rest,
  });
}

/** A kubeconfig, and the one line about it. */
const KUBECONFIGS: Readonly<Record<string, readonly [text: string | Uint8Array, says: string]>> = {
  'is a sentence': ['hello', 'kubeconfig kc: is not a kubeconfig, which is a map. Check that it is the right file.'],
  'is Latin-1': [Buffer.from('a: \xe9', 'latin1'), 'kubeconfig kc: line 1: is not UTF-8 text. Save it as UTF-8.'],
  'is not YAML': [
    'a: b: c',
    'kubeconfig kc: is not valid YAML: line 1, column 5: bad indentation of a mapping entry. Check the indentation and the quotes there, and a line above.',
  ],
  'has clusters that are no list': ['clusters: 3', `kubeconfig kc: clusters: must be a list. ${COPY}`],
  'has contexts that are no list': ['contexts: {a: b}', `kubeconfig kc: contexts: must be a list. ${COPY}`],
  'has a user without a name': [
    'users: [{user: {}}]',
    'kubeconfig kc: users[0].name: is missing. Give each entry a name, which is a text.',
  ],
  'has a context that says nothing': [
    kubeconfig({ rest: { contexts: [{ name: 'here' }] } }),
    `kubeconfig kc: contexts["here"].context: is missing. ${COPY}`,
  ],
  'has a cluster that says nothing': [
    kubeconfig({ rest: { clusters: [{ name: 'c' }] } }),
    `kubeconfig kc: clusters["c"].cluster: is missing. ${COPY}`,
  ],
  'has a context that names no cluster': [
    kubeconfig({ rest: { contexts: [{ name: 'here', context: {} }] } }),
    `kubeconfig kc: contexts[0].context.cluster: is missing, or is not a text. ${COPY}`,
  ],
  'has a number as the current context': [
    kubeconfig({ rest: { 'current-context': 3 } }),
    'kubeconfig kc: current-context: must be a text. Write the name of a context in quotes.',
  ],
  'has no current context': [
    kubeconfig({ rest: { 'current-context': '' } }),
    'kubeconfig kc: current-context: is not set. It has: here. Choose one with `kubectl config use-context`.',
  ],
  'has a current context that is not there': [
    kubeconfig({ rest: { 'current-context': 'gone' } }),
    'kubeconfig kc: contexts: has no entry of this name (got "gone"). It has: here.',
  ],
  'has a cluster that is not there': [
    kubeconfig({ rest: { clusters: [] } }),
    'kubeconfig kc: clusters: has no entry of this name (got "c"). The list is empty.',
  ],
  'has an address without a scheme': [
    kubeconfig({ cluster: { server: 'api.example:6443' } }),
    'kubeconfig kc: clusters["c"].server: is not a usable URL (got "api.example:6443"). Write the scheme as well; supported are http://, https://.',
  ],
  'has a proxy of an unknown kind': [
    kubeconfig({ cluster: { server: 'https://localhost:1', 'proxy-url': 'ftp://a' } }),
    'kubeconfig kc: clusters["c"].proxy-url: is not a usable URL (got "ftp://a"). Write the scheme as well; supported are http://, https://, socks5://, socks5h://.',
  ],
  'names an authority that is not there': [
    kubeconfig({ cluster: { server: 'https://localhost:1', 'certificate-authority': 'ca.pem' } }),
    'kubeconfig kc: clusters["c"].certificate-authority: there is no such file (got "/ca.pem"). Check the path.',
  ],
  'holds an authority that is not PEM': [
    kubeconfig({ cluster: { server: 'https://localhost:1', 'certificate-authority-data': 'aGVsbG8=' } }),
    'kubeconfig kc: clusters["c"].certificate-authority-data: is not PEM in base64. Take the entry over once more from where it comes from, in one piece.',
  ],
  'holds a key that is not PEM, which is not shown': [
    kubeconfig({ user: { 'client-key-data': 'c2VjcmV0' } }),
    'kubeconfig kc: users["u"].client-key-data: is not PEM in base64. Take the entry over once more from where it comes from, in one piece.',
  ],
  'names a key that is not there': [
    kubeconfig({ user: { 'client-key': 'me.key' } }),
    'kubeconfig kc: users["u"].client-key: there is no such file (got "/me.key"). Check the path.',
  ],
  'has a plugin without a command': [
    kubeconfig({ user: { exec: { apiVersion: 'client.authentication.k8s.io/v1' } } }),
    `kubeconfig kc: users[0].user.exec.command: is missing, or is not a text. ${COPY}`,
  ],
  'has a provider that nobody supports': [
    kubeconfig({ user: { 'auth-provider': { name: 'gcp' } } }),
    'kubeconfig kc: users["u"].auth-provider: is not supported, and kubectl no longer supports it either (got "gcp"). Use a token, a client certificate, a credential plugin (exec) or the provider oidc.',
  ],
  'leads to nobody': [
    kubeconfig({}),
    `cluster http://localhost:1: cannot be reached: nothing listens there (connection refused). Check that it runs, and its address. ${CHOOSE}`,
  ],
};

const ASKING = { status: ['status'], audit: ['audit'], 'catalog show': ['catalog', 'show'] };

for (const [command, words] of Object.entries(ASKING)) {
  const inputs = Object.entries(KUBECONFIGS).map(([title, [text, says]]): [string, WrongInput] => [
    title,
    { args: [...words, '--kubeconfig', 'kc'], files: { kc: text }, says },
  ]);
  describeWrongInputs(`a kubeconfig for fleet ${command} that`, Object.fromEntries(inputs));
}

describeWrongInputs('the choice of a cluster', {
  'by a file that is not there': {
    args: ['status', '--kubeconfig', 'nope'],
    says: 'kubeconfig nope: there is no such file. Name one with KUBECONFIG or --kubeconfig.',
  },
  'by a folder': {
    args: ['status', '--kubeconfig', 'folder'],
    files: { 'folder/': '' },
    says: 'kubeconfig folder: is a folder. Name a file in it.',
  },
  'by a variable that leads nowhere': {
    args: ['status'],
    env: { KUBECONFIG: 'nope' },
    says: 'kubeconfig nope: there is no such file. Name one with KUBECONFIG or --kubeconfig.',
  },
  'by a context that is not there': {
    args: ['audit', '--kubeconfig', 'kc', '--context', 'prod'],
    files: { kc: kubeconfig({}) },
    says: 'kubeconfig kc: contexts: has no entry of this name (got "prod"). It has: here.',
  },
  'by an environment and a context': {
    args: ['status', '-e', 'prod', '--context', 'here'],
    says: '--environment: names a cluster already. Leave out --kubeconfig and --context, or --environment.',
  },
});

/** Levels of rules, for an audit. */
const LEVELS = '{"mandatory"}';
describeWrongInputs('levels for fleet audit that', {
  'are empty': { ...levels(''), says: 'c.json: is empty. Write {} where nothing is to be said.' },
  'are YAML': {
    ...levels('a: b\n'),
    says: 'c.json: is YAML, not JSON. Write it as JSON: names and texts in double quotes.',
  },
  'end too early': {
    ...levels('{"a":'),
    says: 'c.json: is not valid JSON: it ends too early. Check quotes, commas and brackets; JSON has no comments, and no comma after the last entry.',
  },
  'have a comma too many': {
    ...levels('{\n  "a": "advisory",\n}'),
    says: 'c.json: is not valid JSON: line 3, column 1. Check quotes, commas and brackets; JSON has no comments, and no comma after the last entry.',
  },
  'lack a colon': {
    ...levels(LEVELS),
    says: 'c.json: is not valid JSON: line 1, column 13. Check quotes, commas and brackets; JSON has no comments, and no comma after the last entry.',
  },
  'are a list': {
    ...levels('["a"]'),
    says: 'c.json: must be a map (got ["a"]). Write { "<rule>": "advisory" }, with a level for each rule that is to have another.',
  },
  'name a rule by nearly its name': {
    ...levels('{"olm-writer-are-known": "advisory"}'),
    says: 'c.json: olm-writer-are-known: is not a rule. Did you mean olm-writers-are-known?',
  },
  'name a level that there is not': {
    ...levels('{"olm-writers-are-known": "warn"}'),
    says: 'c.json: olm-writers-are-known: is not a level (got "warn"). Use mandatory, advisory, disabled.',
  },
});

function levels(text: string): Pick<WrongInput, 'args' | 'files'> {
  return { args: ['audit', '--config', 'c.json'], files: { 'c.json': text } };
}
