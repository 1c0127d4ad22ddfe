import { app, type ValidationCase } from './validation-case.ts';

export const PLACEMENT: readonly ValidationCase[] = [
  {
    title: 'a models volume without source',
    spec: app({ modelsVolume: { name: 'models' } }),
    path: 'spec.applications.llama.modelsVolume',
    message: /exactly one source/,
  },
  {
    title: 'a models volume with two sources',
    spec: { applicationTemplate: { modelsVolume: { emptyDir: {}, hostPath: { path: '/m' } } } },
    path: 'spec.applicationTemplate.modelsVolume',
    message: /exactly one source/,
  },
  {
    title: 'a models volume and a model cache',
    spec: app({ modelsVolume: { emptyDir: {} }, modelCache: { size: '1Gi' } }),
    path: 'spec.applications.llama',
    message: /exclude each other/,
  },
  {
    title: 'a model cache without size',
    spec: app({ modelCache: {} }),
    path: 'spec.applications.llama.modelCache.size',
    message: /is required/,
  },
  {
    title: 'a model cache of no size',
    spec: app({ modelCache: { size: 'big' } }),
    path: 'spec.applications.llama.modelCache.size',
    message: /^must /,
  },

  {
    title: 'no GPU at all',
    spec: app({ gpu: { count: 0 } }),
    path: 'spec.applications.llama.gpu.count',
    message: /at least 1/,
  },
  {
    title: 'the product of another vendor’s GPU',
    spec: app({ gpu: { resourceName: 'amd.com/gpu', product: 'MI300' } }),
    path: 'spec.applications.llama.gpu',
    message: /nvidia\.com GPUs only/,
  },
  {
    title: 'GPU memory without unit',
    spec: app({ gpu: { minMemory: '40' } }),
    path: 'spec.applications.llama.gpu.minMemory',
    message: /^must /,
  },
  {
    title: 'a rollout that does not exist',
    spec: app({ rollout: 'blueGreen' }),
    path: 'spec.applications.llama.rollout',
    message: /auto, surge, inPlace, recreate/,
  },
  {
    title: 'a budget of both kinds',
    spec: app({ disruption: { minAvailable: 1, maxUnavailable: 1 } }),
    path: 'spec.applications.llama.disruption',
    message: /exclude each other/,
  },
  {
    title: 'a budget that is no percentage',
    spec: app({ disruption: { maxUnavailable: 'half' } }),
    path: 'spec.applications.llama.disruption.maxUnavailable',
    message: /^must /,
  },
  {
    title: 'a drain that outlasts the pod',
    spec: app({ drain: { seconds: 121 } }),
    path: 'spec.applications',
    message: /must not exceed its terminationGracePeriodSeconds/,
  },
  {
    title: 'a gateway’s drain that outlasts the pod',
    spec: { gateway: { drain: { seconds: 20 }, terminationGracePeriodSeconds: 10 } },
    path: 'spec.gateway',
    message: /must not exceed/,
  },

  {
    title: 'an environment variable without name',
    spec: { gateway: { env: [{ value: 'x' }] } },
    path: 'spec.gateway.env[0].name',
    message: /is required/,
  },
  {
    title: 'an environment variable from two sources',
    spec: { gateway: { env: [{ name: 'A', value: 'x', valueFrom: {} }] } },
    path: 'spec.gateway.env[0]',
    message: /exclude each other/,
  },
  {
    title: 'an environment variable twice',
    spec: { gateway: { env: [{ name: 'A' }, { name: 'A' }] } },
    path: 'spec.gateway.env[1]',
    message: /appears twice/,
  },
  {
    title: 'a digest that is none',
    spec: { gateway: { image: { digest: 'latest' } } },
    path: 'spec.gateway.image.digest',
    message: /^must /,
  },
  {
    title: 'a pull policy that does not exist',
    spec: { gateway: { image: { pullPolicy: 'Sometimes' } } },
    path: 'spec.gateway.image.pullPolicy',
    message: /must be one of/,
  },
  {
    title: 'a list where a map belongs',
    spec: { applications: [] },
    path: 'spec.applications',
    message: /of type object/,
  },
];
