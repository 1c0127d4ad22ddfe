import assert from 'node:assert/strict';
import { readConfig } from '../../../controller/src/config.ts';
import { parseWatches } from '../../../controller/src/reconcile/watches.ts';

describe('the settings of the controller', () => {
  it('have defaults for everything but the version', () => {
    const config = readConfig({ OPERATOR_VERSION: '2.1.0' });
    assert.equal(config.major, 2);
    assert.equal(config.operatorName, 'inference-stack-operator-v2');
    assert.equal(config.leaseNamespace, 'inference-stack-operator-system');
    assert.equal(config.metricsPort, 8080);
  });

  it('are refused with all problems at once', () => {
    const env = { OPERATOR_VERSION: 'two', METRICS_PORT: 'x', LOG_LEVEL: 'loud' };
    assert.throws(() => readConfig(env), /OPERATOR_VERSION[^]*LOG_LEVEL[^]*METRICS_PORT/);
  });
});

describe('the watches file', () => {
  it('names kinds, versions and optional selectors', () => {
    const [stack, orchestra] = parseWatches(
      '[{version: v1beta1, kind: InferenceStack}, {version: v1alpha1, kind: ModelOrchestra, selector: {matchLabels: {team: a}}, optional: true}]',
      'watches.yaml',
    );
    assert.equal(stack?.type.plural, 'inferencestacks');
    assert.equal(orchestra?.type.plural, 'modelorchestras');
    assert.deepEqual(orchestra.selector, { matchLabels: { team: 'a' } });
    assert.equal(orchestra.optional, true);
  });

  it('is refused with the entry and the field that are wrong', () => {
    assert.throws(() => parseWatches('[]', 'watches.yaml'), /must be a list/);
    assert.throws(
      () => parseWatches('[{version: v1beta1, kind: InferenceStack, optional: perhaps}]', 'watches.yaml'),
      /\[0\]\.optional.*true or false/,
    );
    assert.throws(
      () => parseWatches('[{version: v1beta1, kind: InferenceStack, selector: team=a}]', 'watches.yaml'),
      /\[0\]\.selector.*matchLabels/,
    );
    const twice = '[{version: v1beta1, kind: InferenceStack}, {version: v1alpha1, kind: InferenceStack}]';
    assert.throws(() => parseWatches(twice, 'watches.yaml'), /\[1\]\.kind.*has an entry already/);
    assert.throws(
      () => parseWatches('[{group: x.example, version: v1, kind: Pod}]', 'watches.yaml'),
      /\[0\]\.kind[^]*\[0\]\.group[^]*\[0\]\.version/,
    );
  });
});
