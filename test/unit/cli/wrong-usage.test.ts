import { describeWrongInputs } from '../../support/people/wrong-inputs/wrong-input.ts';

const T = ['-f', 't.yaml'];

describeWrongInputs('a command line with', {
  'a slip in a command': { args: ['expalin'], says: "fleet: unknown command 'expalin' (Did you mean explain?)" },
  'a slip in a command of a group': {
    args: ['catalog', 'promte'],
    says: "fleet catalog: unknown command 'promte' (Did you mean promote?)",
  },
  'a slip in a word that help is asked for': {
    args: ['help', 'stauts'],
    says: "fleet: unknown command 'stauts' (Did you mean status?)",
  },
  'a slip in an option': {
    args: ['explain', ...T, '--outptu', 'json'],
    says: "fleet explain: unknown option '--outptu' (Did you mean --output?)",
  },
  'an option without its value': {
    args: ['explain', '-f'],
    says: "fleet explain: option '-f, --file <file...>' argument missing",
  },
  'no file': { args: ['render'], says: "fleet render: required option '-f, --file <file...>' not specified" },
  'a format that there is not': {
    args: ['explain', ...T, '-o', 'yaml'],
    says: "fleet explain: option '-o, --output <format>' argument 'yaml' is invalid. Allowed choices are text, json.",
  },
  'a namespace that cannot be one': {
    args: ['explain', ...T, '-n', 'Bad NS'],
    says: "fleet explain: option '-n, --namespace <name>' argument 'Bad NS' is invalid. It must consist of lower-case letters, digits and '-', and start and end with a letter or digit. Write a name like team-a.",
  },
  'a namespace that is too long': {
    args: ['status', '-n', 'n'.repeat(64)],
    says: `fleet status: option '-n, --namespace <name>' argument '${'n'.repeat(64)}' is invalid. It has 64 characters, but may have 63 at most. Write a name like team-a.`,
  },
  'one namespace and all of them': {
    args: ['status', '-n', 'a', '-A'],
    says: "fleet status: option '-n, --namespace <name>' cannot be used with option '-A, --all-namespaces'",
  },
  'an operator version without its patch': {
    args: ['explain', ...T, '--operator-version', '2'],
    says: "fleet explain: option '--operator-version <version>' argument '2' is invalid. Use a full version such as 3.1.0.",
  },
  'a shell that nothing is written for': {
    args: ['completion', 'fish'],
    says: "fleet completion: command-argument value 'fish' is invalid for argument 'shell'. Allowed choices are bash, zsh.",
  },
  'the name of an environment where Pulumi would look for a template': {
    args: ['up', 'prod'],
    says: "fleet up: unexpected argument 'prod'",
  },
  'a stage that there is not': {
    args: ['audit', '--stage', 'test'],
    says: "fleet audit: option '--stage <stage>' argument 'test' is invalid. Allowed choices are prod, dev.",
  },
  'a stream that there is not': {
    args: ['catalog', 'add', '--version', 'v1.0.0', '--channels', 'beta'],
    says: "fleet catalog add: option '--channels <list>' argument 'beta' is invalid. Use candidate, fast, stable.",
  },
  'an operator that has no major': {
    args: ['manifests', '--catalog-image', 'a', '--operator', 'latest'],
    says: "fleet manifests: option '--operator <operator>' argument 'latest' is invalid. Use MAJOR[:CHANNEL[:VERSION]], with a channel of candidate, fast, stable.",
  },
  'an argument too many': {
    args: ['version', 'now'],
    says: "fleet version: too many arguments for 'version'. Expected 0 arguments but got 1: now.",
  },
  'a limit that is too small': {
    args: ['preview-comment', '-e', 'dev', '--preview', 'p', '--limit', '10'],
    says: "fleet preview-comment: option '--limit <count>' argument '10' is invalid. Use a whole number of at least 1000.",
  },
});

describeWrongInputs('an option that would do nothing,', {
  'such as an authority where HTTP is spoken': {
    args: ['catalog', 'render', ...T, '--ca', 'ca.pem', '--plain-http'],
    says: "fleet catalog render: option '--ca <file>' cannot be used with option '--plain-http'",
  },
  'such as an authority where no registry is asked': {
    args: ['catalog', 'render', ...T, '--lock', 'l.yaml', '--ca', 'ca.pem'],
    says: "fleet catalog render: option '--lock <file>' cannot be used with option '--ca <file>'",
  },
  'such as plain HTTP where no registry is asked': {
    args: ['catalog', 'check', '--plain-http'],
    says: "fleet catalog check: option '--plain-http' has no effect without '--registry'",
  },
  'such as a template of development where releases are pushed': {
    args: ['catalog', 'push', '--template', 't.yaml'],
    says: "fleet catalog push: option '--template' has no effect without '--dev'",
  },
  'such as a version beside an image that has its own': {
    args: ['catalog', 'add', '--version', 'v1.0.0', '--image', 'a'],
    says: "fleet catalog add: option '--image <image>' cannot be used with option '--version <version>'",
  },
  'such as a catalog beside an archive that has one': {
    args: ['mirror', '--to', 'a.example.com', '--from', 'a.tar', '--catalog-image', 'a'],
    says: "fleet mirror: option '--from <file>' cannot be used with option '--catalog-image <image>'",
  },
  'such as engines beside an archive, of which all is copied': {
    args: ['mirror', '--to', 'a.example.com', '--from', 'a.tar', '--engine', 'vllm'],
    says: "fleet mirror: option '--from <file>' cannot be used with option '--engine <engine...>'",
  },
  'such as further images beside an archive': {
    args: ['mirror', '--to', 'a.example.com', '--from', 'a.tar', '--image', 'a'],
    says: "fleet mirror: option '--from <file>' cannot be used with option '--image <image...>'",
  },
  'such as no OLM beside an archive': {
    args: ['mirror', '--to', 'a.example.com', '--from', 'a.tar', '--no-olm'],
    says: "fleet mirror: option '--from <file>' cannot be used with option '--no-olm'",
  },
  'such as a version of OLM beside an archive': {
    args: ['mirror', '--to', 'a.example.com', '--from', 'a.tar', '--olm-version', '1.11.0'],
    says: "fleet mirror: option '--from <file>' cannot be used with option '--olm-version <version>'",
  },
  'such as a manifest of OLM beside an archive': {
    args: ['mirror', '--to', 'a.example.com', '--from', 'a.tar', '--olm-manifest', 'olm.yaml'],
    says: "fleet mirror: option '--from <file>' cannot be used with option '--olm-manifest <location>'",
  },
  'such as arguments for Pulumi where it does not run': {
    args: ['env', '--', '--diff'],
    says: "fleet env: takes no arguments for pulumi, and would do nothing with '--diff'",
  },
});
