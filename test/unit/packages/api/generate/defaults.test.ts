import assert from 'node:assert/strict';
import ts from 'typescript';
import { membersOf, readSource, tags } from '../../../../../packages/api/generate/source.ts';
import {
  APPLICATION_DEFAULTS,
  DISRUPTION_DEFAULTS,
  EXTERNAL_DEFAULTS,
  GATEWAY_DEFAULTS,
  GPU_DEFAULTS,
  MODEL_CACHE_DEFAULTS,
  OPEN_DEFAULTS,
  SERVICE_ACCOUNT_DEFAULTS,
  TOKEN_KEY,
} from '../../../../../packages/api/defaults.ts';

/** The values behind every interface that documents a default. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Application: { ...OPEN_DEFAULTS, ...APPLICATION_DEFAULTS, engine: 'takeoff' },
  Disruption: DISRUPTION_DEFAULTS,
  Gateway: GATEWAY_DEFAULTS,
  GatewayConfig: GATEWAY_DEFAULTS.config,
  GatewayService: GATEWAY_DEFAULTS.service,
  Gpu: GPU_DEFAULTS,
  Image: GATEWAY_DEFAULTS.image,
  Ingress: GATEWAY_DEFAULTS.ingress,
  IngressPath: { path: '/', pathType: 'Prefix' },
  MetricTarget: APPLICATION_DEFAULTS.scaling.metricTarget,
  ModelCache: MODEL_CACHE_DEFAULTS,
  ModelsVolume: { name: 'models' },
  ReaderConfig: { ...APPLICATION_DEFAULTS.readerConfig, enginePort: EXTERNAL_DEFAULTS.enginePort },
  Scaling: APPLICATION_DEFAULTS.scaling,
  ScalingSpec: APPLICATION_DEFAULTS.scaling.spec,
  ServiceAccount: SERVICE_ACCOUNT_DEFAULTS,
  TokenSecret: { key: TOKEN_KEY },
};

describe('documented defaults', () => {
  it('are those that the operator fills in', function () {
    this.timeout(60_000);
    const source = readSource();
    const documented: string[] = [];
    for (const [name, declaration] of source.declarations) {
      if (!ts.isInterfaceDeclaration(declaration)) continue;
      for (const member of membersOf(source, declaration)) {
        const fallback = tags(member).get('default');
        if (fallback === undefined || member.name === undefined) continue;
        const field = member.name.getText();
        documented.push(`${name}.${field}`);
        assert.equal(fallback, String(DEFAULTS[name]?.[field]), `${name}.${field}`);
      }
    }
    assert.ok(documented.length > 30, `only ${String(documented.length)} defaults found`);
  });
});
