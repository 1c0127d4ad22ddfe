import { app, type ValidationCase } from './validation-case.ts';

export const NAMES_AND_SCALE: readonly ValidationCase[] = [
  {
    title: 'an application that is nothing',
    spec: app(null),
    path: 'spec.applications',
    message: /must not be null/,
  },
  {
    title: 'an application name with capitals',
    spec: { applications: { Llama: {} } },
    path: 'spec.applications',
    message: /lower-case/,
  },
  {
    title: 'an application named gateway',
    spec: { applications: { gateway: {} } },
    path: 'spec.applications',
    message: /not be 'gateway'/,
  },
  {
    title: 'an application name of 52 characters',
    spec: { fullnameOverride: 'short', applications: { ['a'.repeat(52)]: {} } },
    path: 'spec.applications',
    message: /at most 51/,
  },
  {
    title: 'names that are too long together',
    name: 'a'.repeat(30),
    spec: { applications: { ['b'.repeat(20)]: {} } },
    path: '',
    message: /at most 63 characters together/,
  },
  {
    title: 'a stack’s name that leaves no room for the gateway',
    name: 'a'.repeat(40),
    spec: {},
    path: '',
    message: /at most 63 characters together/,
  },
  {
    title: 'a stack’s name that is too long for a label',
    name: 'a'.repeat(64),
    spec: { fullnameOverride: 'short' },
    path: '',
    message: /becomes a label/,
  },
  { title: 'a stack’s name that starts with a digit', name: '1a', spec: {}, path: '', message: /start with a letter/ },
  {
    title: 'a full name in capitals',
    spec: { fullnameOverride: 'Chat' },
    path: 'spec.fullnameOverride',
    message: /^must /,
  },

  {
    title: 'replicas as text',
    spec: app({ replicaCount: '2' }),
    path: 'spec.applications.llama.replicaCount',
    message: /of type integer/,
  },
  {
    title: 'half a replica',
    spec: app({ replicaCount: 1.5 }),
    path: 'spec.applications.llama.replicaCount',
    message: /of type integer/,
  },
  {
    title: 'negative replicas',
    spec: { gateway: { replicaCount: -1 } },
    path: 'spec.gateway.replicaCount',
    message: /at least 0/,
  },
  {
    title: 'too many replicas',
    spec: { gateway: { replicaCount: 1001 } },
    path: 'spec.gateway.replicaCount',
    message: /at most 1000/,
  },
  {
    title: 'a minimum over the maximum',
    spec: app({ scaling: { enabled: true, spec: { minReplicaCount: 3, maxReplicaCount: 2 } } }),
    path: 'spec.applications',
    message: /must not exceed/,
  },
  {
    title: 'a minimum over the template’s maximum',
    spec: {
      applicationTemplate: { scaling: { enabled: true, spec: { maxReplicaCount: 2 } } },
      ...app({ scaling: { spec: { minReplicaCount: 3 } } }),
    },
    path: 'spec.applications',
    message: /must not exceed/,
  },
  {
    title: 'a minimum over the default maximum',
    spec: app({ scaling: { enabled: true, spec: { minReplicaCount: 5 } } }),
    path: 'spec.applications',
    message: /must not exceed/,
  },
  {
    title: 'a minimum over the maximum where nothing scales',
    spec: app({ scaling: { spec: { minReplicaCount: 5 } } }),
  },
  {
    title: 'idling with the minimum',
    spec: app({ scaling: { spec: { idleReplicaCount: 1 } } }),
    path: 'spec.applications.llama.scaling.spec',
    message: /less than/,
  },
  {
    title: 'a scaler’s own target',
    spec: app({ scaling: { spec: { scaleTargetRef: { name: 'other' } } } }),
    path: 'spec.applications.llama.scaling.spec',
    message: /set by the operator/,
  },
  {
    title: 'an unknown metric',
    spec: app({ scaling: { metricTarget: { name: 'queue' } } }),
    path: 'spec.applications.llama.scaling.metricTarget.name',
    message: /must be one of consumerGroupSize/,
  },
];
