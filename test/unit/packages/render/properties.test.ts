import assert from 'node:assert/strict';
import fc from 'fast-check';
import yaml from 'js-yaml';
import { validate } from '../../../../packages/api/validate.ts';
import { snakeKeys } from '../../../../packages/render/config-map.ts';
import { effectiveSpec, isReader } from '../../../../packages/render/effective.ts';
import { render } from '../../../../packages/render/render.ts';
import { anyOpenStack, anyStack } from '../../../support/operator/arbitrary-schema.ts';
import type { RouteTable } from '../../../support/operator/routes.ts';
import { at, contextWith } from '../../../support/people/stacks.ts';

const RUNS = { numRuns: 500 };

describe('whatever the schema admits', function () {
  this.timeout(60_000);

  it('renders, and always to the same objects', () => {
    fc.assert(
      fc.property(anyStack, (stack) => {
        const copy = structuredClone(stack);
        const first = render(stack, contextWith());
        assert.deepEqual(stack, copy, 'rendering changed the stack');
        assert.equal(JSON.stringify(render(copy, contextWith())), JSON.stringify(first));
      }),
      RUNS,
    );
  });

  it('cannot change the structure of config.yaml', () => {
    fc.assert(
      fc.property(anyStack, (stack) => {
        const { gateway, applications } = effectiveSpec(stack.spec);
        for (const { kind, metadata, ...object } of render(stack, contextWith()).objects) {
          // The gateway Onwards has a table in JSON instead.
          if (at(object, 'data', 'config.yaml') === undefined) continue;
          assert.equal(kind, 'ConfigMap');
          const component = metadata.labels['app.kubernetes.io/component'] ?? '';
          const name = component.replace('application-', '');
          const application = applications[name];
          const readerConfig = application !== undefined && isReader(application) ? application.readerConfig : {};
          const takeoff =
            component === 'gateway'
              ? { server_config: snakeKeys(gateway.config ?? {}), readers_config: null }
              : {
                  server_config: { internal_port: 3005 },
                  readers_config: {
                    [name]: snakeKeys({ internalGatewayIp: metadata.name.replace(/[^-]*$/, ''), ...readerConfig }),
                  },
                };
          const read = yaml.load(String(at(object, 'data', 'config.yaml')));
          assert.deepEqual(withoutGateway(read), withoutGateway(asJson({ takeoff })));
        }
      }),
      RUNS,
    );
  });

  it('gives names that are unique within a kind, and labels that match their selectors', () => {
    fc.assert(
      fc.property(anyStack, (stack) => {
        const { objects } = render(stack, contextWith());
        const keys = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
        assert.equal(new Set(keys).size, keys.length);
        for (const object of objects.filter(({ kind }) => kind === 'Deployment')) {
          const labels = at(object, 'spec.template.metadata.labels') as Record<string, string>;
          const selector = at(object, 'spec.selector.matchLabels') as Record<string, string>;
          for (const [label, value] of Object.entries(selector)) assert.equal(labels[label], value);
        }
      }),
      RUNS,
    );
  });

  it('renders with open engines, too, to objects that are each there once, and a table that can be read', () => {
    fc.assert(
      fc.property(anyOpenStack, (stack) => {
        const first = render(stack, contextWith());
        assert.equal(JSON.stringify(render(structuredClone(stack), contextWith())), JSON.stringify(first));
        const keys = first.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
        assert.equal(new Set(keys).size, keys.length);
        const gateway = first.objects.find(({ kind }) => kind === 'ConfigMap');
        const { targets } = JSON.parse(String(at(gateway, 'data', 'routes.json'))) as RouteTable;
        const services = new Set(
          first.objects.flatMap(({ kind, metadata }) => (kind === 'Service' ? metadata.name : [])),
        );
        const clients = new Set(Object.values(first.applications).flatMap((application) => application.clients));
        for (const [alias, { providers }] of Object.entries(targets)) {
          assert.ok(clients.has(alias), alias);
          assert.ok(providers.length > 0);
          for (const { url } of providers) assert.ok(services.has(new URL(url).hostname), url);
        }
        assert.ok(first.notices.every(({ path }) => path.startsWith('spec.')));
      }),
      RUNS,
    );
  });

  it('is checked without a crash, even if it is no stack at all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(validate(value).valid, false);
      }),
      RUNS,
    );
  });
});

/** JSON knows no -0, and neither does config.yaml. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The gateway's address is the operator's own value, unless the user set it. */
function withoutGateway(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, field: unknown) =>
    key === 'internal_gateway_ip' ? undefined : field,
  );
}
