import { app, type ValidationCase } from './validation-case.ts';

export const ACCEPTED: readonly ValidationCase[] = [
  { title: 'an empty spec', spec: {} },
  { title: 'an application that takes everything from the template', spec: app({}) },
  {
    title: 'null for whatever is not set',
    spec: { gateway: null, applicationTemplate: { env: null, rollout: null, readerConfig: { modelName: null } } },
  },
  {
    title: 'free-form maps',
    spec: app({ podAnnotations: { 'a.b/c': 'd' }, nodeSelector: { x: 'y' }, readerConfig: { newKey: { deep: [1] } } }),
  },
  {
    title: 'an old manifest’s fields without effect',
    spec: app({ ingress: { enabled: true }, service: {}, exportPrometheusMetrics: true }),
  },
  { title: 'a number for a device list', spec: app({ readerConfig: { cudaVisibleDevices: 0 } }) },
  {
    title: 'an ingress host without paths',
    spec: { gateway: { ingress: { enabled: true, hosts: [{ host: 'a.example' }] } } },
  },
  {
    title: 'the longest application name',
    spec: { fullnameOverride: 'short', applications: { ['a'.repeat(51)]: {} } },
  },
  { title: 'a stack’s name with a dot, given a full name', name: 'a.b', spec: { fullnameOverride: 'ab' } },
];
