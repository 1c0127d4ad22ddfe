import assert from 'node:assert/strict';
import type { InferenceStackSpec, ReaderConfig } from '../../../../packages/api/types.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { effectiveSpec } from '../../../../packages/render/effective.ts';
import { modelNotices } from '../../../../packages/render/model-notices.ts';

function noticesOf(applications: Record<string, ReaderConfig>, template?: ReaderConfig): string[] {
  const spec: InferenceStackSpec = {
    applications: Object.fromEntries(
      Object.entries(applications).map(([name, readerConfig]) => [name, { readerConfig }]),
    ),
    ...(template === undefined ? {} : { applicationTemplate: { readerConfig: template } }),
  };
  return modelNotices(spec, effectiveSpec(spec)).map(formatProblem);
}

describe('notices about models', () => {
  it('tell of an application that names none', () => {
    const notice =
      'spec.applications.chat.readerConfig.modelName: is not set, so TitanML/dummy_model answers. Name the model.';
    assert.deepEqual(noticesOf({ chat: {} }), [notice]);
    assert.deepEqual(noticesOf({ chat: {} }, { maxBatchSize: 4 }), [notice]);
    assert.deepEqual(noticesOf({ chat: {} }, { modelName: 'm/chat' }), []);
    assert.deepEqual(noticesOf({ chat: { modelName: 'TitanML/dummy_model' } }), []);
  });

  it('bear what YAML makes of keys without values', () => {
    const given = [{ applications: null }, { applications: { chat: null } }, { applicationTemplate: null }];
    const told = given.map((spec) => {
      const parsed = spec as unknown as InferenceStackSpec;
      return modelNotices(parsed, effectiveSpec(parsed)).length;
    });
    assert.deepEqual(told, [0, 0, 0]);
  });

  it('tell of two models that take each other’s requests', () => {
    const notice =
      'spec.applications.embed.readerConfig.consumerGroup: is used by chat, which serves another model: either of them ' +
      'answers (got "primary"). Give each model a consumerGroup of its own.';
    const [chat, embed] = [{ modelName: 'm/chat' }, { modelName: 'm/embed' }];
    assert.deepEqual(noticesOf({ chat, embed }), [notice]);
    assert.deepEqual(noticesOf({ chat, embed: { ...embed, consumerGroup: 'embed' } }), []);
  });

  it('leave one model on several kinds of nodes alone', () => {
    assert.deepEqual(noticesOf({ large: { modelName: 'm/chat' }, small: { modelName: 'm/chat' } }), []);
  });
});
