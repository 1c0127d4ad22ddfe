import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Application, InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { validate } from '../../../../../packages/api/validate.ts';
import { placesOf, providersOf, routesOf, routesText } from '../../../../support/operator/routes.ts';
import { objectsOf, stackWith } from '../../../../support/people/stacks.ts';

const IMAGE = { repository: 'registry.example/own', tag: '1' };

/** Applications that share the alias `x`, and what is particular about each. */
function sharing(...applications: readonly Application[]): InferenceStackSpec {
  const names = applications.map((application, index): [string, Application] => [
    `app-${String(index)}`,
    { aliases: ['x'], ...application },
  ]);
  return { applicationTemplate: { engine: 'openai', image: IMAGE }, applications: Object.fromEntries(names) };
}

const sharesOf = (...applications: readonly Application[]): Record<string, number> =>
  placesOf(objectsOf(sharing(...applications)), 'x');

describe('the table of routes', () => {
  it('leads every alias to the Services of its applications', () => {
    const objects = objectsOf({
      applications: {
        chat: { engine: 'vllm', model: { name: 'org/model' } },
        small: { engine: 'llamacpp', model: { name: 'org/small' }, aliases: ['chat'] },
      },
    });
    const { targets, http_pool } = routesOf(objects);
    assert.deepEqual(Object.keys(targets), ['chat', 'org/model']);
    assert.deepEqual(targets['chat']?.providers, [
      { url: 'http://chat-inference-stack-chat/#0', onwards_model: 'chat' },
      { url: 'http://chat-inference-stack-small/#0', onwards_model: 'small' },
    ]);
    for (const name of ['chat', 'small']) assert.ok(objects[`Service/${name}`] !== undefined);
    // A Service chooses a pod for each connection, so no connection may stay.
    assert.equal(http_pool.max_idle_per_host, 0);
  });

  it('tries again where a pod has just left, and not where the engine itself fails', () => {
    const { fallback, strategy } = routesOf(objectsOf(sharing({}))).targets['x'] ?? {};
    assert.equal(strategy, 'weighted_random');
    assert.equal(fallback?.enabled, true);
    assert.ok(fallback.max_attempts > 1);
    assert.equal(fallback.on_status.includes(500), false);
  });

  it('gives weights as places, reduced by their divisor', () => {
    assert.deepEqual(sharesOf({ weight: 90 }, { weight: 10 }), { 'app-0': 9, 'app-1': 1 });
    assert.deepEqual(sharesOf({ weight: 50 }, { weight: 50 }), { 'app-0': 1, 'app-1': 1 });
    assert.deepEqual(sharesOf({}, { weight: 3 }), { 'app-0': 1, 'app-1': 3 });
  });

  it('has places that differ, since Onwards counts the requests of equal ones together', () => {
    const urls = providersOf(objectsOf(sharing({ weight: 9 }, { weight: 1 })), 'x').map(({ url }) => url);
    assert.equal(new Set(urls).size, 10);
    // What the engine is asked for is the same for all.
    assert.deepEqual(new Set(urls.map((url) => new URL('/v1/models', url).href)).size, 2);
  });

  it('leads nowhere where nobody would answer', () => {
    const gone: Application[] = [{ weight: 0 }, { suspend: true }, { replicaCount: 0 }];
    for (const application of gone) {
      assert.deepEqual(sharesOf(application, {}), { 'app-1': 1 });
      assert.deepEqual(sharesOf(application), {});
      assert.deepEqual(routesOf(objectsOf(sharing(application))).targets, {});
    }
    const scaling = { enabled: true, spec: { minReplicaCount: 0, triggers: [{ type: 'cron' }] } };
    assert.deepEqual(sharesOf({ replicaCount: 0, scaling }, {}), { 'app-0': 1, 'app-1': 1 });
  });

  it('takes any name that the schema admits', () => {
    const aliases = ['__proto__', 'constructor', 'a"b', '\u2028', '{{ x }}', "'; rm -rf /", 'ü'];
    const spec = sharing({ aliases });
    assert.equal(validate(stackWith(spec)).valid, true);
    const objects = objectsOf(spec);
    assert.deepEqual(new Set(Object.keys(routesOf(objects).targets)), new Set(aliases));
    for (const alias of aliases) assert.equal(providersOf(objects, alias).length, 1, alias);
  });

  it('is the same for the same stack, whatever the order of its applications', () => {
    const one = { aliases: ['b', 'a'], weight: 2 };
    const other = { aliases: ['a'] };
    const text = (applications: Record<string, Application>): string =>
      routesText(objectsOf({ ...sharing(), applications }));
    assert.equal(text({ one, other }), text({ other, one }));
  });

  it('has a line for each place, since people read it', () => {
    const lines = routesText(objectsOf(sharing({ weight: 9 }, { weight: 1 }))).split('\n');
    assert.equal(lines.filter((line) => line.includes('"url"')).length, 10);
  });

  describe('of a stack that is as large as one may be', () => {
    const COUNT = 100;
    const LIMIT = 1024 * 1024;

    function large(of: (index: number) => Application): InferenceStackSpec {
      const padding = 'p'.repeat(30);
      const applications = Array.from(
        { length: COUNT },
        (_, index) => [`${padding}-${String(index)}`, of(index)] as const,
      );
      return { ...sharing(), applications: Object.fromEntries(applications) };
    }

    const aliases = (prefix: string, length: number): string[] =>
      Array.from({ length: 20 }, (_, index) => `${prefix}-${String(index)}-`.padEnd(length, 'x'));
    const stacks: Record<string, (index: number) => Application> = {
      'all share all aliases, by weights without a divisor': (index) => ({
        aliases: aliases('a', 20),
        weight: index < 3 ? 1000 : 1,
      }),
      'two share each alias, by weights without a divisor': (index) => ({
        aliases: aliases(String(index >> 1), 90),
        weight: index % 2 === 0 ? 3 : 997,
      }),
      'everybody has long aliases of their own': (index) => ({ aliases: aliases(String(index), 110) }),
    };
    for (const [what, of] of Object.entries(stacks)) {
      it(`fits into a ConfigMap: ${what}`, () => {
        const spec = large(of);
        assert.equal(validate(stackWith(spec)).valid, true);
        const objects = objectsOf(spec);
        assert.ok(Buffer.byteLength(JSON.stringify(objects['ConfigMap/gateway'])) < LIMIT);
        const { targets } = routesOf(objects);
        const wanted = new Set(Object.values(spec.applications ?? {}).flatMap(({ aliases: own = [] }) => own));
        assert.deepEqual(new Set(Object.keys(targets)), wanted);
        const answering = new Set(
          Object.values(targets).flatMap(({ providers }) => providers.map(({ url }) => new URL(url).hostname)),
        );
        assert.equal(answering.size, COUNT);
      });
    }
  });

  it('gives shares within one point of the weights, whatever these are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 }), (weights) => {
        const found = sharesOf(...weights.map((weight) => ({ weight })));
        const places = weights.map((_, index) => found[`app-${String(index)}`] ?? 0);
        const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) || 1;
        weights.forEach((weight, index) => {
          const error = weight / total(weights) - (places[index] ?? 0) / total(places);
          assert.ok(Math.abs(error) <= 0.01, `${weights.join()}: ${places.join()}`);
        });
      }),
    );
  });
});
