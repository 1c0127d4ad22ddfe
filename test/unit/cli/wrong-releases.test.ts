import { describeWrongInputs, type WrongInput } from '../../support/people/wrong-inputs/wrong-input.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const IMAGE = `docker.io/tytn/operator@${DIGEST}`;
const LOCK = 'package: inference-stack-operator\nversions: []\n';
const TEMPLATE = 'Schema: olm.semver\nGenerateMajorChannels: true\n';

const write = (...args: readonly string[]): readonly string[] => ['bundle', 'write', '--version', 'v3.0.0', ...args];
const byDigest = (...args: readonly string[]): readonly string[] => write('--controller-image', IMAGE, ...args);

describeWrongInputs('fleet bundle write with', {
  'a channel of another kind': {
    args: byDigest('--channels', 'nope'),
    says: 'bundle v3.0.0: CHANNELS: is not a channel of major 3 (got "nope"). Use candidate-v3, fast-v3, stable-v3, or one of a minor, such as stable-v3.1.',
  },
  'a channel of another major': {
    args: byDigest('--channels', 'stable-v2'),
    says: 'bundle v3.0.0: CHANNELS: is not a channel of major 3 (got "stable-v2"). Use candidate-v3, fast-v3, stable-v3, or one of a minor, such as stable-v3.1.',
  },
  'a default channel that is not among the channels': {
    args: byDigest('--channels', 'fast-v3', '--default-channel', 'stable-v3'),
    says: 'bundle v3.0.0: DEFAULT_CHANNEL: is not one of the channels (got "stable-v3"). Use one of fast-v3.',
  },
  'an image by a tag, offline': {
    args: write('--controller-image', 'localhost:1/operator:3.0.0'),
    says: 'localhost:1/operator:3.0.0: --controller-image: cannot be pulled: nothing listens there (connection refused). Push it first, as `fleet bundle push` does, or name it by digest, HOST/PATH@sha256:DIGEST, which asks no registry.',
  },
  'an image that is not a name': {
    args: write('--controller-image', 'Bad Image'),
    says: 'image: is not a canonical image name (got "Bad Image"). Write registry host, path and tag or digest, e.g. registry.example.com/fleet/operator-bundle:3.0.0.',
  },
  'a file in place of the folder': {
    args: byDigest('-d', 'out'),
    files: { out: 'mine' },
    says: 'out: cannot be written: there is a file where a folder should be. Name another folder.',
  },
  'a folder with other things in it, which would be lost': {
    args: byDigest('-d', 'out'),
    files: { 'out/thesis.tex': 'mine' },
    says: 'out: --directory: holds files that are not of a bundle, which would be deleted (thesis.tex). Name a folder of its own.',
  },
});

const state = ['-f', 't.yaml', '--lock', 'l.yaml'];
const of = (files: Readonly<Record<string, string>>): Pick<WrongInput, 'args' | 'files'> => ({
  args: ['catalog', 'check', ...state],
  files: { 't.yaml': TEMPLATE, 'l.yaml': LOCK, ...files },
});
const deprecations = (text: string): Pick<WrongInput, 'args' | 'files'> => ({
  args: ['catalog', 'render', ...state, '--deprecations', 'd.yaml'],
  files: { 't.yaml': TEMPLATE, 'l.yaml': LOCK, 'd.yaml': text },
});

describeWrongInputs('a catalog whose', {
  'template has no schema': {
    ...of({ 't.yaml': 'GenerateMajorChannels: true\n' }),
    says: 't.yaml: Schema: must be olm.semver. Begin with: Schema: olm.semver',
  },
  'template has an unknown field': {
    ...of({ 't.yaml': `${TEMPLATE}Stabel: {}\n` }),
    says: 't.yaml: Stabel: is not a field of an olm.semver template (got {}). Remove it, or correct its spelling.',
  },
  'template has an image by a short name': {
    ...of({ 't.yaml': `${TEMPLATE}Stable: { Bundles: [{ Image: tytn/operator-bundle:1.0.0 }] }\n` }),
    says: 't.yaml: Stable.Bundles[0].Image: is not a canonical image name (got "tytn/operator-bundle:1.0.0"). Write registry host, path and tag or digest, e.g. registry.example.com/fleet/operator-bundle:3.0.0.',
  },
  'lock is empty': {
    ...of({ 'l.yaml': '' }),
    says: 'l.yaml: is not what `fleet catalog add` writes. Restore it, e.g. with git checkout l.yaml.',
  },
  'deprecations begin with nothing': {
    ...deprecations('entries: []\n'),
    says: 'd.yaml: schema: is not an olm.deprecations document. Begin with schema: olm.deprecations and package: <name>.',
  },
  'deprecations have several faults, which are told at once': {
    ...deprecations('entries:\n- reference: { schema: olm.csv }\n- reference: { schema: olm.bundle, name: a }\n'),
    says: [
      'd.yaml: schema: is not an olm.deprecations document. Begin with schema: olm.deprecations and package: <name>.',
      'd.yaml: entries[0].reference.schema: cannot be deprecated (got "olm.csv"). Use olm.package, olm.channel or olm.bundle.',
      'd.yaml: entries[0].message: must not be empty. Tell users what to use instead.',
      'd.yaml: entries[1].message: must not be empty. Tell users what to use instead.',
    ],
  },
  'deprecations are not a list': {
    ...deprecations('schema: olm.deprecations\npackage: a\nentries: { a: b }\n'),
    says: 'd.yaml: entries: must be a list (got {"a":"b"}). Begin each entry with "- reference:".',
  },
  'base is not a revision': {
    args: ['catalog', 'check', ...state, '--base', 'nosuch'],
    files: { 't.yaml': TEMPLATE, 'l.yaml': LOCK },
    says: '--base: cannot be looked up, since this is not a git repository (got "nosuch"). Run it in the checkout.',
  },
  'files are elsewhere': {
    args: ['catalog', 'graph'],
    says: 'catalog/operator_catalog.yaml: there is no such file. Its folder does not exist either.',
  },
});

describeWrongInputs('an image of a registry that', {
  'is not there, for fleet catalog render': {
    args: ['catalog', 'render', '-f', 't.yaml'],
    files: { 't.yaml': `${TEMPLATE}Stable: { Bundles: [{ Image: 'localhost:1/a:1.0.0' }] }\n` },
    says: 'localhost:1/a:1.0.0: cannot be pulled: nothing listens there (connection refused). Check that localhost:1 is right, and that this machine reaches it.',
  },
  'is not there, for fleet catalog add': {
    args: ['catalog', 'add', '--image', 'localhost:1/a:1.0.0', ...state],
    files: { 't.yaml': TEMPLATE, 'l.yaml': LOCK },
    says: 'localhost:1/a:1.0.0: cannot be pulled: nothing listens there (connection refused). Check that localhost:1 is right, and that this machine reaches it.',
  },
  'is not there, for fleet manifests': {
    args: ['manifests', '--catalog-image', `localhost:1/a@${DIGEST}`, '--operator', '3'],
    says: `localhost:1/a@${DIGEST}: cannot be pulled: nothing listens there (connection refused). Check that localhost:1 is right, and that this machine reaches it.`,
  },
  'is to be trusted by a file without certificates': {
    args: ['catalog', 'render', '-f', 't.yaml', '--ca', 'ca.pem'],
    files: { 't.yaml': TEMPLATE, 'ca.pem': 'hello' },
    says: 'ca.pem: --ca: holds no certificate in PEM. Name a file with -----BEGIN CERTIFICATE----- in it.',
  },
  'is named by a tag, for fleet manifests': {
    args: ['manifests', '--catalog-image', 'localhost:1/a:1', '--operator', '3'],
    says: '--catalog-image: is not named by its registry and its digest alone, so what it stands for could change (got "localhost:1/a:1"). Write HOST/PATH@sha256:DIGEST; `docker buildx imagetools inspect IMAGE` prints the digest that a tag has now.',
  },
  'needs credentials that are not JSON, which are not shown': {
    args: ['manifests', '--catalog-image', `localhost:1/a@${DIGEST}`, '--operator', '3', '--pull-secret', 's'],
    files: { s: 'user:secret' },
    says: 's: --pull-secret: is not a Docker config in JSON with "auths". Name a file such as ~/.docker/config.json that holds the credentials themselves.',
  },
});

describeWrongInputs('the version that', {
  'fleet catalog add gets without its patch': {
    args: ['catalog', 'add', '--version', '1.0'],
    says: "fleet catalog add: option '--version <version>' argument '1.0' is invalid. Use a version such as v1.2.3.",
  },
  'fleet catalog add does not get': {
    args: ['catalog', 'add'],
    says: "fleet catalog add: required option '--version <version>' not specified",
  },
  'fleet catalog promote has never seen': {
    args: ['catalog', 'promote', '--version', 'v1.0.0', ...state, '--deprecations', 'd.yaml'],
    files: { 't.yaml': TEMPLATE, 'l.yaml': LOCK, 'd.yaml': '' },
    says: 't.yaml: VERSION: is not released (got "v1.0.0"). Nothing is released yet: use `fleet catalog add`.',
  },
  'fleet catalog withdraw has never seen': {
    args: ['catalog', 'withdraw', '--version', 'v1.0.0', '--reason', 'x', ...state, '--deprecations', 'd.yaml'],
    files: { 't.yaml': TEMPLATE, 'l.yaml': LOCK, 'd.yaml': '' },
    says: 't.yaml: VERSION: is not released (got "v1.0.0"). Nothing is released yet: use `fleet catalog add`.',
  },
});
