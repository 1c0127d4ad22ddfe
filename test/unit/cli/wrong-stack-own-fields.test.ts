import { describeApplications } from '../../support/people/wrong-inputs/wrong-stack.ts';

describeApplications('fields of an application with', {
  'more pods than there may be': [
    'replicaCount: 2000',
    'replicaCount: must be at most 1000 (got 2000). Use a number from 0 to 1000.',
  ],
  'less than no pods': ['replicaCount: -1', 'replicaCount: must be at least 0 (got -1). Use a number from 0 to 1000.'],
  'a part of a pod': ['replicaCount: 1.5', 'replicaCount: must be of type integer (got 1.5). Write a whole number.'],
  'pods in quotes': ["replicaCount: '2'", 'replicaCount: must be of type integer (got "2"). Write it without quotes.'],
  'a GPU count of zero': ['gpu: { count: 0 }', 'gpu.count: must be at least 1 (got 0). Use a number from 1 to 64.'],
  'GPU memory without a unit': [
    "gpu: { minMemory: '40' }",
    'gpu.minMemory: must be an amount of memory in Mi or Gi (got "40"). Write it like 40Gi.',
  ],
  'a GPU resource without a vendor': [
    'gpu: { resourceName: gpu }',
    'gpu.resourceName: must be the name of an extended resource (got "gpu"). Write it like nvidia.com/gpu.',
  ],
  'shared memory without a unit': [
    "shmSize: '8'",
    'shmSize: must be an amount of memory in Mi or Gi (got "8"). Write it like 8Gi.',
  ],
  'a cache without a size': ['modelCache: {}', 'modelCache.size: is required. Write size: ….'],
  'a cache of a size in words': [
    'modelCache: { size: big }',
    'modelCache.size: must be an amount of storage in Mi, Gi or Ti (got "big"). Write it like 200Gi.',
  ],
  'a cache of an unknown access mode': [
    'modelCache: { size: 1Gi, accessMode: ReadWrite }',
    'modelCache.accessMode: must be one of ReadWriteOnce, ReadWriteMany, ReadOnlyMany, ReadWriteOncePod (got "ReadWrite"). Choose one of them.',
  ],
  'an image digest that is none': [
    'image: { digest: latest }',
    'image.digest: must be \'sha256:\' and 64 hexadecimal digits (got "latest"). Copy it from what the push prints, or `docker buildx imagetools inspect IMAGE`.',
  ],
  'an unknown pull policy': [
    'image: { pullPolicy: always }',
    'image.pullPolicy: must be one of Always, IfNotPresent, Never (got "always"). Did you mean Always?',
  ],
  'an unknown engine': [
    'engine: ollama',
    'engine: must be one of takeoff, external, vllm, sglang, llamacpp, openai (got "ollama"). Choose one of them.',
  ],
  'an unknown rollout': [
    'rollout: fast',
    'rollout: must be one of auto, surge, inPlace, recreate (got "fast"). Choose one of them.',
  ],
  'a disruption budget in words': [
    'disruption: { maxUnavailable: half }',
    'disruption.maxUnavailable: must be a number or a percentage (got "half"). Write it like 1 or 25%.',
  ],
  'two disruption budgets': [
    'disruption: { maxUnavailable: 1, minAvailable: 1 }',
    'disruption: minAvailable and maxUnavailable exclude each other: use one of them',
  ],
  'a revision in words': [
    'engineRevision: newest',
    'engineRevision: must be the number of a revision, or \'operator\' (got "newest"). Write it like 1.',
  ],
  'a field of another part': [
    'modelName: a/b',
    'modelName: is not a field of this API. It is a field of readerConfig.',
  ],
  'a field with a slip of the pen': [
    'replicaCuont: 2',
    'replicaCuont: is not a field of this API. Did you mean replicaCount?',
  ],
  'suspension in words': [
    "suspend: 'yes'",
    'suspend: must be of type boolean (got "yes"). Write true or false, without quotes.',
  ],
});
