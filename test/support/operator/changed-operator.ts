import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

/** A change of the operator's sources, as a later version might have it. */
export interface SourceChange {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The operator of this checkout, or one with a change, packed as its image has it. */
export async function packedOperator(change?: SourceChange): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(checkout, 'controller/src/main.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['https-proxy-agent', 'socks-proxy-agent'],
    logLevel: 'error',
    plugins:
      change === undefined
        ? []
        : [{ name: 'change', setup: (pack) => pack.onLoad({ filter: filterOf(change) }, () => load(change)) }],
  });
  return outputFiles[0]?.text ?? '';
}

function filterOf({ file }: SourceChange): RegExp {
  return new RegExp(`${file.replaceAll('.', '\\.')}$`);
}

async function load({ file, from, to }: SourceChange): Promise<{ contents: string; loader: 'ts' }> {
  const text = await readFile(join(checkout, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  return { contents: text.replace(from, to), loader: 'ts' };
}

/** Changes as versions really bring them: of pods, and of everything but pods. */
export const CHANGES: Readonly<Record<'argument' | 'probe' | 'gatewayEnv' | 'label' | 'writtenDefault', SourceChange>> =
  {
    argument: {
      file: 'packages/render/engines/vllm.ts',
      from: `{ value: '0.0.0.0', flags: ['--host'] }`,
      to: `{ value: '::', flags: ['--host'] }`,
    },
    probe: { file: 'packages/render/engines/probes.ts', from: 'failureThreshold: 9', to: 'failureThreshold: 12' },
    gatewayEnv: {
      file: 'packages/render/takeoff-gateway.ts',
      from: 'values: withDrain(gateway),',
      to: `values: { ...withDrain(gateway), env: [...withDrain(gateway).env, { name: 'ADDED', value: '1' }] },`,
    },
    label: {
      file: 'packages/render/names.ts',
      from: '[VERSION_LABEL]: runtimeVersion, ...MANAGED_BY_OPERATOR };',
      to: `[VERSION_LABEL]: runtimeVersion, added: 'by-a-version', ...MANAGED_BY_OPERATOR };`,
    },
    // The API server had filled it in before, so it is applied, and nothing is another.
    writtenDefault: {
      file: 'packages/render/deployment.ts',
      from: 'lifecycle: drainLifecycle(values.drain),',
      to: `lifecycle: drainLifecycle(values.drain), terminationMessagePolicy: 'File', terminationMessagePath: '/dev/termination-log',`,
    },
  };
