import assert from 'node:assert/strict';
import type { Application, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { noticesOf } from '../../../support/people/notices.ts';

const READER: Application = { readerConfig: { modelName: 'org/model' } };
const OPEN: Application = { engine: 'vllm', model: { name: 'org/model' }, gpu: {} };

const told = (chat: Application, spec: InferenceStackSpec = {}): string[] =>
  noticesOf({ ...spec, applications: { chat } });

describe('notices about fields without effect', () => {
  it('tell of those of open engines where the engine is none', () => {
    const fields = { aliases: ['x'], weight: 0, command: ['x'], args: ['x'], port: 8000, engineRevision: 1 };
    assert.deepEqual(
      told({ ...READER, ...fields }),
      Object.keys(fields).map(
        (field) =>
          `spec.applications.chat.${field}: has no effect with takeoff. It is for vllm, sglang, llamacpp and openai.`,
      ),
    );
    assert.match(told({ ...READER, engine: 'external', port: 8000 })[0] ?? '', /has no effect with external/);
    assert.deepEqual(told({ ...OPEN, ...fields, weight: 1, aliases: ['chat'], command: [] }).length, 1);
  });

  it('tell of those of an external engine where the engine is another', () => {
    const fields = { externalEngineImage: { tag: 'x' }, sidecarImage: { tag: 'x' }, sidecar: { ports: [{}] } };
    const notices = (engine: string): string[] =>
      Object.keys(fields).map(
        (field) => `spec.applications.chat.${field}: has no effect with ${engine}. It is for external.`,
      );
    assert.deepEqual(told({ ...READER, ...fields }), notices('takeoff'));
    assert.deepEqual(told({ ...OPEN, ...fields }), notices('vllm'));
    const external = { ...READER, engine: 'external', ...fields } as const;
    assert.deepEqual(told(external), []);
    assert.deepEqual(told({ ...external, image: { tag: 'x' } }), [
      'spec.applications.chat.image: has no effect with external. Use externalEngineImage or sidecarImage.',
    ]);
  });

  it('tell of a template’s field once, and only if no application uses it', () => {
    const applicationTemplate = { ...READER, sidecar: { ports: [{}] } };
    const applications: InferenceStackSpec['applications'] = { a: {}, b: {} };
    const notice = 'spec.applicationTemplate.sidecar: has no effect with takeoff. It is for external.';
    assert.deepEqual(noticesOf({ applicationTemplate, applications }), [notice]);
    const used = { ...applications, c: { engine: 'external' } as const };
    assert.deepEqual(noticesOf({ applicationTemplate, applications: used }), []);
    assert.deepEqual(noticesOf({ applicationTemplate }), []);
  });

  it('say nothing of fields that are empty', () => {
    assert.deepEqual(told({ ...READER, aliases: [], args: [], sidecar: {} }), []);
  });

  it('tell of fields of old manifests, whatever the engine is', () => {
    for (const application of [READER, OPEN]) {
      assert.deepEqual(told({ ...application, ingress: { x: 1 }, service: { x: 1 }, exportPrometheusMetrics: true }), [
        ...['ingress', 'service', 'exportPrometheusMetrics'].map(
          (field) =>
            `spec.applications.chat.${field}: has no effect. ` +
            `Applications are reached through the gateway: set gateway.${field} instead.`,
        ),
      ]);
    }
  });

  it('tell of the target of a scaler that open engines do not have', () => {
    const scaling = { enabled: true, metricTarget: { value: 3 }, spec: { triggers: [{ type: 'cron' }] } };
    assert.deepEqual(told({ ...OPEN, scaling }), [
      'spec.applications.chat.scaling.metricTarget: has no effect: Onwards tells KEDA nothing. Use scaling.spec.triggers.',
    ]);
    assert.deepEqual(told({ ...READER, scaling: { enabled: true, metricTarget: { value: 3 } } }), []);
  });

  it('tell of a revision that the gateway takeoff has none of', () => {
    const gateway = { revision: 1 };
    assert.deepEqual(told(READER, { gateway }), [
      'spec.gateway.revision: has no effect with takeoff. Use runtimeVersion.',
    ]);
    assert.deepEqual(told(OPEN, { gateway }), []);
  });

  it('tell of a NetworkPolicy that is not made', () => {
    const notice = 'spec.networkPolicy: has no effect: it is about open engines, and the stack has none. Remove it.';
    assert.deepEqual(told(READER, { networkPolicy: { enabled: true } }), [notice]);
    assert.deepEqual(told(READER, { networkPolicy: { scrapers: [{}] } }), [notice]);
    assert.deepEqual(told(READER, { networkPolicy: { enabled: false } }), []);
    assert.deepEqual(told(READER, { networkPolicy: {} }), []);
    assert.deepEqual(told(OPEN, { networkPolicy: { enabled: true } }), []);
  });
});
