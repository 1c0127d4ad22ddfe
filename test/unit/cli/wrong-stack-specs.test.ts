import { describeSpecs } from '../../support/people/wrong-inputs/wrong-stack.ts';

describeSpecs('a stack with', {
  'a stack without a spec of its own': [undefined, 'spec: is required. Write spec: ….'],
  'an application with capitals': [
    'applications: { LLM: {} }',
    "spec.applications: application names must consist of lower-case letters, digits and '-', start and end with a letter or digit, have at most 51 characters, and not be 'gateway'; violated by LLM",
  ],
  'an application called gateway': [
    'applications: { gateway: {} }',
    "spec.applications: application names must consist of lower-case letters, digits and '-', start and end with a letter or digit, have at most 51 characters, and not be 'gateway'; violated by gateway",
  ],
  'an application whose name is too long': [
    'applications: { aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: {} }',
    [
      "the stack's full name and '-gateway' or an application's name must have at most 63 characters together: use a shorter metadata.name, application name or spec.fullnameOverride",
      "spec.applications: application names must consist of lower-case letters, digits and '-', start and end with a letter or digit, have at most 51 characters, and not be 'gateway'; violated by aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (52 characters)",
    ],
  ],
  'an application that is null': [
    'applications: { llm: null }',
    'spec.applications: an application must not be null: write {} for one that takes everything from the template',
  ],
  'an application that is a text': [
    'applications: { llm: big }',
    'spec.applications.llm: must be of type object (got "big"). Write a map; its fields are affinity, aliases, args, command, disruption, drain, engine, engineRevision, env, exportPrometheusMetrics and 36 more.',
  ],
  'applications as a list': [
    'applications: [llm]',
    'spec.applications: must be of type object (got ["llm"]). Write a map, with each entry under its name.',
  ],
  'an ingress without hosts': [
    'gateway: { ingress: { enabled: true } }',
    'spec.gateway.ingress: an enabled ingress needs at least one entry in hosts: use [{}] for every host',
  ],
  'an ingress of a relative path': [
    'gateway: { ingress: { hosts: [{ paths: [{ path: v1 }] }] } }',
    'spec.gateway.ingress.hosts[0].paths[0].path: must start with \'/\' (got "v1"). Write it like /v1.',
  ],
  'a gateway of an unknown kind': [
    'gateway: { kind: nginx }',
    'spec.gateway.kind: must be one of takeoff, onwards (got "nginx"). Choose one of them.',
  ],
  'a gateway that drains for too long': [
    'gateway: { drain: { seconds: 100 } }',
    'spec.gateway: drain.seconds must not exceed terminationGracePeriodSeconds (by default 60)',
  ],
  'a gateway with a wrong amount': [
    'gateway: { resources: { limits: { memory: 1GB } } }',
    'spec.gateway.resources.limits.memory: is not an amount (got "1GB"). Did you mean 1Gi?',
  ],
  'a template with a wrong toleration, once for all applications': [
    'applicationTemplate: { tolerations: [{ operator: Equal }] }, applications: { a: {}, b: {} }',
    'spec.applicationTemplate.tolerations[0].operator: needs a key (got "Equal"). Name the key, or write operator: Exists for every taint.',
  ],
  'a template with a wrong amount, once for all applications': [
    'applicationTemplate: { resources: { limits: { cpu: x } } }, applications: { a: {}, b: {} }',
    'spec.applicationTemplate.resources.limits.cpu: is not an amount (got "x"). Write it like 500m, 2, 512Mi or 8Gi.',
  ],
  'a pull secret that is a text': [
    'imagePullSecrets: [regcred]',
    'spec.imagePullSecrets[0]: must be of type object (got "regcred"). Write { name: … }.',
  ],
  'a pull secret with capitals': [
    'imagePullSecrets: [{ name: RegCred }]',
    "spec.imagePullSecrets[0].name: must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit (got \"RegCred\"). Write a name like chat-2.",
  ],
  'a full name with capitals': [
    'fullnameOverride: Chat',
    "spec.fullnameOverride: must consist of lower-case letters, digits and '-', start with a letter and not end with '-' (got \"Chat\"). Write it like chat, or leave it out.",
  ],
  'a name that begins with a dash': [
    'nameOverride: -chat',
    'spec.nameOverride: must consist of lower-case letters, digits and \'-\', and start and end with a letter or digit (got "-chat"). Write it like chat, or leave it out.',
  ],
  'a runtime version with a slash': [
    'runtimeVersion: a/b',
    "spec.runtimeVersion: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"a/b\"). Write it like 0.22.0.",
  ],
  'a service account with capitals': [
    'serviceAccount: { name: Me }',
    "spec.serviceAccount.name: must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit (got \"Me\"). Write it like chat, or leave it out.",
  ],
  'a service account with a wrong annotation': [
    'serviceAccount: { annotations: { a b: c } }',
    "spec.serviceAccount.annotations.a b: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"a b\"). Write a key like team or example.com/team.",
  ],
  'an unknown field': [
    'models: {}',
    'spec.models: is not a field of this API. Known fields are applicationTemplate, applications, fullnameOverride, gateway, imagePullSecrets, nameOverride, networkPolicy and 2 more.',
  ],
  'two kinds of engines': [
    'applications: { a: { engine: vllm, model: { name: a/b } }, b: { engine: takeoff } }',
    'spec.applications: all applications must suit the gateway: open engines (vllm, sglang, llamacpp, openai) suit onwards, takeoff and external suit takeoff; make two stacks of a mixed one; violated by b',
  ],
  'a model by a URL of FTP': [
    "applications: { a: { engine: llamacpp, model: { url: 'ftp://a' } } }",
    'spec.applications.a.model.url: must be a URL of http or https (got "ftp://a"). Write it like http://10.0.0.7:8000.',
  ],
  'a drain longer than the grace period': [
    'applications: { llm: { readerConfig: { modelName: a/b }, drain: { seconds: 300 } } }',
    "spec.applications: an application's drain.seconds must not exceed its terminationGracePeriodSeconds (by default 120); violated by llm",
  ],
});
