import { describeApplications } from '../../support/people/wrong-inputs/wrong-stack.ts';

describeApplications('amounts, labels and tolerations of an application with', {
  'memory in GB': [
    'resources: { limits: { memory: 8GB } }',
    'resources.limits.memory: is not an amount (got "8GB"). Did you mean 8Gi?',
  ],
  'memory in gigabytes, small letters': [
    'resources: { limits: { memory: 8gb } }',
    'resources.limits.memory: is not an amount (got "8gb"). Did you mean 8Gi?',
  ],
  'memory in words': [
    'resources: { limits: { memory: eight } }',
    'resources.limits.memory: is not an amount (got "eight"). Write it like 500m, 2, 512Mi or 8Gi.',
  ],
  'memory with a space': [
    "resources: { limits: { memory: '8 Gi' } }",
    'resources.limits.memory: is not an amount (got "8 Gi"). Did you mean 8Gi?',
  ],
  'thousandths of a byte': [
    'resources: { requests: { memory: 512m } }',
    'resources.requests.memory: is less than a byte (got "512m"). Write a unit: 512Mi or 512Gi.',
  ],
  'memory without a unit': [
    'resources: { limits: { memory: 512 } }',
    'resources.limits.memory: is 512 bytes (got 512). Write a unit: 512Mi or 512Gi.',
  ],
  'less than no CPU': [
    'resources: { limits: { cpu: -1 } }',
    'resources.limits.cpu: is less than nothing (got -1). Leave it out, or write more.',
  ],
  'CPU with a unit of its own': [
    'resources: { limits: { cpu: 2cores } }',
    'resources.limits.cpu: is not an amount (got "2cores"). Write it like 500m, 2, 512Mi or 8Gi.',
  ],
  'a part of a GPU': [
    "resources: { limits: { nvidia.com/gpu: '0.5' } }",
    'resources.limits.nvidia.com/gpu: must be a whole number (got "0.5"). Devices are given out whole.',
  ],
  'GPUs that are asked for without a limit': [
    'resources: { requests: { nvidia.com/gpu: 1 } }',
    'resources.requests.nvidia.com/gpu: needs a limit of the same number (got 1). Write it under limits alone.',
  ],
  'other GPUs in requests than in limits': [
    'resources: { requests: { nvidia.com/gpu: 1 }, limits: { nvidia.com/gpu: 2 } }',
    'resources.requests.nvidia.com/gpu: must be as much as its limit, 2 (got 1). Write it under limits alone.',
  ],
  'requests above the limit': [
    "resources: { requests: { cpu: '4' }, limits: { cpu: '2' } }",
    'resources.requests.cpu: is more than its limit, 2 (got "4"). Ask for less, or raise the limit.',
  ],
  'a limit, misspelt': [
    'resources: { limit: { cpu: 1 } }',
    'resources.limit: is not a field of this API. Did you mean limits?',
  ],
  'limits as a list': [
    'resources: { limits: [cpu] }',
    'resources.limits: must be of type object (got ["cpu"]). Write a map, with each entry under its name.',
  ],
  'resources as a text': [
    'resources: small',
    'resources: must be of type object (got "small"). Write a map, such as { name: value }.',
  ],
  'a resource that is no name': [
    'resources: { limits: { a b: 1 } }',
    "resources.limits.a b: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"a b\"). Write a key like team or example.com/team.",
  ],
  'a label with a space in its key': [
    'podLabels: { team name: x }',
    "podLabels.team name: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"team name\"). Write a key like team or example.com/team.",
  ],
  'a label with two slashes': [
    'podLabels: { a/b/c: x }',
    'podLabels.a/b/c: has more than one \'/\' (got "a/b/c"). Write a key like team or example.com/team.',
  ],
  'a label with capital letters before the slash': [
    'podLabels: { Example.com/a: x }',
    "podLabels.Example.com/a: its part before the '/' must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit (got \"Example.com/a\"). Write a key like team or example.com/team.",
  ],
  'a label without a name after the slash': [
    'podLabels: { example.com/: x }',
    'podLabels.example.com/: has no name (got "example.com/"). Write a key like team or example.com/team.',
  ],
  'a label whose value has a space': [
    'podLabels: { team: a b }',
    "podLabels.team: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"a b\"). Use an annotation for other texts.",
  ],
  'a label whose value is too long': [
    'podLabels: { team: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx }',
    'podLabels.team: must have at most 63 characters, and has 64 (got "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"). Write a shorter one.',
  ],
  'a label whose key is too long': [
    'podLabels: { kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: x }',
    'podLabels.kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: has 65 characters, but may have 63 at most (got "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"). Leave out at least 2.',
  ],
  'a label that is a number': [
    'podLabels: { team: 3 }',
    'podLabels.team: must be of type string (got 3). Write it in quotes.',
  ],
  'an annotation with a space in its key': [
    'podAnnotations: { a b: x }',
    "podAnnotations.a b: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"a b\"). Write a key like team or example.com/team.",
  ],
  'a node selector that begins with a dash': [
    'nodeSelector: { -gpu: a }',
    "nodeSelector.-gpu: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"-gpu\"). Write a key like team or example.com/team.",
  ],
  'a node selector that is true': [
    'nodeSelector: { gpu: true }',
    'nodeSelector.gpu: must be of type string (got true). Write it in quotes.',
  ],
  'a toleration with a space in its key': [
    'tolerations: [{ key: a b, operator: Exists }]',
    "tolerations[0].key: must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit (got \"a b\"). Write a key like team or example.com/team.",
  ],
  'a toleration of an unknown operator': [
    'tolerations: [{ key: gpu, operator: Equals }]',
    'tolerations[0].operator: must be one of Exists, Equal (got "Equals"). Did you mean Equal?',
  ],
  'a toleration with a value for Exists': [
    'tolerations: [{ key: gpu, operator: Exists, value: x }]',
    'tolerations[0].value: must be empty where operator is Exists (got "x"). Leave the value out, or write operator: Equal.',
  ],
  'a toleration without a key': [
    'tolerations: [{ effect: NoSchedule }]',
    'tolerations[0].operator: needs a key (got "Equal"). Name the key, or write operator: Exists for every taint.',
  ],
  'a toleration of an unknown effect': [
    'tolerations: [{ key: gpu, effect: Noschedule }]',
    'tolerations[0].effect: must be one of NoSchedule, PreferNoSchedule, NoExecute, \'\' (got "Noschedule"). Did you mean NoSchedule?',
  ],
  'a toleration with seconds for NoSchedule': [
    'tolerations: [{ key: gpu, effect: NoSchedule, tolerationSeconds: 3 }]',
    'tolerations[0].tolerationSeconds: are for the effect NoExecute only (got 3). Write effect: NoExecute, or leave the seconds out.',
  ],
  'a toleration with an unknown field': [
    'tolerations: [{ key: gpu, efect: NoSchedule }]',
    'tolerations[0].efect: is not a field of this API. Did you mean effect?',
  ],
  'a toleration that is a text': [
    'tolerations: [gpu]',
    'tolerations[0]: must be of type object (got "gpu"). Write a map, such as { name: value }.',
  ],
});
