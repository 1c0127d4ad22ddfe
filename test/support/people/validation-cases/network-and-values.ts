import { app, type ValidationCase } from './validation-case.ts';

export const NETWORK_AND_VALUES: readonly ValidationCase[] = [
  {
    title: 'a port over 65535',
    spec: { gateway: { service: { ports: [{ port: 70000 }] } } },
    path: 'spec.gateway.service.ports[0].port',
    message: /at most 65535/,
  },
  {
    title: 'a service port without number',
    spec: { gateway: { service: { ports: [{ name: 'http' }] } } },
    path: 'spec.gateway.service.ports[0].port',
    message: /is required/,
  },
  {
    title: 'two ports without names',
    spec: { gateway: { service: { ports: [{ port: 80 }, { port: 81 }] } } },
    path: 'spec.gateway.service.ports',
    message: /each port must have a name/,
  },
  {
    title: 'a service type that does not exist',
    spec: { gateway: { service: { type: 'External' } } },
    path: 'spec.gateway.service.type',
    message: /must be one of/,
  },
  {
    title: 'an internal port of 0',
    spec: { gateway: { config: { internalPort: 0 } } },
    path: 'spec.gateway.config.internalPort',
    message: /at least 1/,
  },
  {
    title: 'an enabled ingress without hosts',
    spec: { gateway: { ingress: { enabled: true } } },
    path: 'spec.gateway.ingress',
    message: /at least one entry in hosts/,
  },
  {
    title: 'a path that is none',
    spec: { gateway: { ingress: { hosts: [{ paths: [{ path: 'v1' }] }] } } },
    path: 'spec.gateway.ingress.hosts[0].paths[0].path',
    message: /^must /,
  },

  {
    title: 'a model name that is a number',
    spec: app({ readerConfig: { modelName: 7 } }),
    path: 'spec.applications.llama.readerConfig.modelName',
    message: /of type string/,
  },
  {
    title: 'a batch size that is text',
    spec: app({ readerConfig: { maxBatchSize: 'many' } }),
    path: 'spec.applications.llama.readerConfig.maxBatchSize',
    message: /of type integer/,
  },
  {
    title: 'a switch that is text',
    spec: app({ readerConfig: { bufferRequests: 'true' } }),
    path: 'spec.applications.llama.readerConfig.bufferRequests',
    message: /of type boolean/,
  },
  {
    title: 'an annotation that is a number',
    spec: app({ podAnnotations: { a: 1 } }),
    path: 'spec.applications.llama.podAnnotations.a',
    message: /of type string/,
  },
];
