import assert from 'node:assert/strict';
import { convertChart044 } from '../../../../../cli/migrate/chart-0-4-4.ts';
import type { Gateway } from '../../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import { formatProblem } from '../../../../../packages/lib/problem.ts';

function convert(onwards: OpenObject, rest: OpenObject = {}) {
  const { spec, notices } = convertChart044({ onwards, ...rest }, 'chat');
  return { spec, gateway: spec.gateway ?? {}, notices: notices.map(formatProblem) };
}

function gatewayOf(onwards: OpenObject): Gateway {
  return convert(onwards).gateway;
}

function notesOf(onwards: OpenObject, path: string, rest: OpenObject = {}): string[] {
  return convert(onwards, rest).notices.filter((notice) => notice.startsWith(`${path}:`));
}

describe('the gateway of chart 0.4.4', () => {
  it('is the operator’s own where values say nothing', () => {
    assert.deepEqual(gatewayOf({}), { kind: 'onwards' });
  });

  it('keeps an image that is new enough, and no other', () => {
    const image = (given: OpenObject): unknown => gatewayOf({ image: given }).image;
    const repository = 'mirror.example.com/onwards';
    assert.deepEqual(image({ repository, tag: 'v1.2.0' }), { repository, tag: 'v1.2.0' });
    assert.deepEqual(image({ tag: '1.10.0' }), { tag: '1.10.0' });
    for (const tag of ['v0.3.0', 'latest', 'v1.2.0-rc.1', ''])
      assert.deepEqual(image({ repository, tag }), { repository });
    assert.equal(image({ repository: 'ghcr.io/doublewordai/onwards', tag: 'v0.3.0' }), undefined);
    assert.match(
      notesOf({ image: { repository, tag: 'v0.3.0' } }, 'onwards.image.tag')[0] ?? '',
      /is left out: the operator needs Onwards 1\S+ or newer, and uses that \(got "v0\.3\.0"\)\. Copy \S+ to mirror\.example\.com\/onwards\.$/,
    );
    assert.deepEqual(notesOf({ image: { tag: 'v9.0.0' } }, 'onwards.image.tag'), []);
    assert.deepEqual(notesOf({ image: { pullPolicy: 'Always' } }, 'onwards.image.tag'), []);
  });

  it('has the Service that values describe', () => {
    const service = (onwards: OpenObject): unknown => gatewayOf(onwards).service;
    const http = { port: 80, targetPort: 'http', protocol: 'TCP', name: 'http' };
    const metrics = { port: 9090, targetPort: 'metrics', protocol: 'TCP', name: 'metrics' };
    assert.deepEqual(service({ service: { type: 'LoadBalancer', port: 80 } }), { type: 'LoadBalancer' });
    assert.deepEqual(service({ service: { type: 'NodePort', port: '8080', nodePort: 30_080 } }), {
      type: 'NodePort',
      ports: [{ ...http, port: 8080, nodePort: 30_080 }, metrics],
    });
    assert.deepEqual(service({ metrics: { enabled: false } }), { ports: [http] });
    assert.deepEqual(service({ metrics: { service: { port: 9100 } } }), { ports: [http, { ...metrics, port: 9100 }] });
  });

  it('has the probes that values describe, with the chart’s times', () => {
    const { livenessProbe, readinessProbe, startupProbe } = gatewayOf({ probes: { readiness: { periodSeconds: 9 } } });
    const httpGet = { path: '/v1/models', port: 'http' };
    assert.deepEqual(livenessProbe, { httpGet, initialDelaySeconds: 5, periodSeconds: 10 });
    assert.deepEqual(readinessProbe, { httpGet, initialDelaySeconds: 2, periodSeconds: 9 });
    assert.equal(startupProbe, undefined);
  });

  it('has volumes of other names than those that the operator adds', () => {
    const { volumes, volumeMounts } = gatewayOf({
      volumes: [
        { name: 'table', emptyDir: {} },
        { name: 'own', emptyDir: {} },
      ],
      volumeMounts: [
        { name: 'table', mountPath: '/a' },
        { name: 'own', mountPath: '/b' },
      ],
    });
    assert.deepEqual(
      volumes?.map(({ name }) => name),
      ['chart-table', 'own'],
    );
    assert.deepEqual(
      volumeMounts?.map(({ name }) => name),
      ['chart-table', 'own'],
    );
  });

  it('says what it cannot take over', () => {
    const expected: Readonly<Record<string, readonly [onwards: OpenObject, message: RegExp]>> = {
      'onwards.service': [{}, /is called chat-inference-stack-gateway from now on, not chat-inference-stack-onwards/],
      'onwards.containerPort': [{ containerPort: 8080 }, /serves there on 3000 \(got 8080\)/],
      'onwards.metrics.port': [{ metrics: { port: 9999 } }, /serves there on 9090 \(got 9999\)/],
      'onwards.metrics.prefix': [{ metrics: { prefix: 'gw' } }, /begin with onwards \(got "gw"\)/],
      'onwards.extraArgs': [{ extraArgs: ['--key=sk-secret'] }, /the gateway's arguments are the operator's\. See/],
      'onwards.loadBalancer': [{ loadBalancer: { enabled: true, port: 80 } }, /a gateway has one Service/],
      'onwards.image.tagg': [
        { image: { tagg: 'x' } },
        /is not a value of the chart, which ignores it\. Did you mean tag\?/,
      ],
    };
    const quiet = {
      containerPort: '3000',
      metrics: { port: 9090, prefix: 'onwards' },
      loadBalancer: { enabled: false },
    };
    for (const [path, [onwards, message]] of Object.entries(expected)) {
      assert.match(notesOf(onwards, path).join('\n'), message);
      if (path !== 'onwards.service') assert.deepEqual(notesOf(quiet, path), []);
    }
  });
});

describe('a release of chart 0.4.4', () => {
  it('has one list of pull secrets and one ServiceAccount', () => {
    const group = { enabled: true, image: { repository: 'r' }, imagePullSecrets: [{ name: 'b' }, { name: 'a' }] };
    const account = { create: false, name: 'own', annotations: { role: 'x' } };
    const { spec } = convert(
      { imagePullSecrets: [{ name: 'a' }], serviceAccount: account },
      { modelGroups: { g: group } },
    );
    assert.deepEqual([spec.imagePullSecrets, spec.serviceAccount], [[{ name: 'a' }, { name: 'b' }], account]);
  });

  it('has an Ingress if it is enabled, with the host of the chart if it names none', () => {
    assert.equal(convert({}, { ingress: { enabled: false, className: 'nginx' } }).gateway.ingress, undefined);
    assert.deepEqual(convert({}, { ingress: { enabled: true, className: 'nginx' } }).gateway.ingress, {
      enabled: true,
      className: 'nginx',
      hosts: [{ host: 'inference.local', paths: [{ path: '/', pathType: 'Prefix' }] }],
    });
  });

  it('is asked for its metrics, and what a ServiceMonitor cannot say is told', () => {
    assert.equal(convert({}, { serviceMonitor: { enabled: true } }).gateway.exportPrometheusMetrics, true);
    assert.equal(convert({}, { serviceMonitor: { enabled: false } }).gateway.exportPrometheusMetrics, undefined);
    const serviceMonitor = { enabled: true, labels: { release: 'p' }, interval: '60s', annotations: {} };
    assert.match(
      notesOf({}, 'serviceMonitor', { serviceMonitor })[0] ?? '',
      /labels, interval are concerned\. Let Prometheus/,
    );
  });

  it('is told of the NetworkPolicy that it gets, and of those that it loses', () => {
    assert.match(notesOf({}, 'networkPolicy.enabled')[0] ?? '', /only the gateway and Prometheus reach its engines/);
    const networkPolicy = {
      enabled: true,
      onwards: { policyTypes: ['Egress'] },
      modelGroups: { llm: { ingress: [] } },
    };
    assert.equal(notesOf({}, 'networkPolicy.enabled', { networkPolicy }).length, 0);
    for (const path of ['networkPolicy.onwards', 'networkPolicy.modelGroups.llm']) {
      assert.match(
        notesOf({}, path, { networkPolicy })[0] ?? '',
        /cannot be converted: .*\. Apply it as a NetworkPolicy/,
      );
    }
  });

  it('takes its names along', () => {
    const { spec, notices } = convert({}, { fullnameOverride: 'door', configMaps: { files: { a: 'b' } } });
    assert.equal(spec.fullnameOverride, 'door');
    assert.ok(notices.some((notice) => notice.includes('the operator makes no ConfigMap door-files')));
  });
});
