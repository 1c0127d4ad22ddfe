import type { OpenObject } from '../../../controller/src/api/types.ts';

/** A number from 0 to 1 that only its seed decides (mulberry32), so that a run can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

/** Mostly close to the most, since bounds break there, and now and then anything down to nothing. */
function near(random: Random, most: number): number {
  return Math.floor(most * random() ** 0.3) + (random() < 0.1 ? 1 : 0);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. "\\\n\u0001\u0085\u2028é…😀';

function text(random: Random, length: number): string {
  const alphabet = random() < 0.5 ? 'x' : LETTERS;
  const unit = Array.from({ length: 16 }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  return unit
    .repeat(Math.ceil(length / 16))
    .slice(0, length)
    .toWellFormed();
}

function repeated<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function map(count: number, key: (index: number) => string, value: (index: number) => unknown): OpenObject {
  return Object.fromEntries(repeated(count, (index) => [key(index), value(index)]));
}

function nested(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values of an application that cost as much as they can, each in its own way. */
const BOMBS: Readonly<Record<string, (random: Random) => OpenObject>> = {
  plain: () => ({}),
  colliding: (random) => {
    const pairs = near(random, 125);
    const keys = repeated(pairs, (index) => [`zz${index}zA`, `zz${index}z_a`]).flat();
    return { readerConfig: Object.fromEntries(keys.map((key) => [key, 0])) };
  },
  misspelt: (random) => ({
    readerConfig: map(
      near(random, 250),
      (index) => `tensorParalle${(index + random()).toString(36)}`,
      () => 0,
    ),
  }),
  longText: (random) => ({ readerConfig: { text: text(random, near(random, 1_300_000)) } }),
  manyValues: (random) => ({ readerConfig: { list: repeated(near(random, 500_000), () => 0) } }),
  manyMaps: (random) => ({
    readerConfig: { list: repeated(near(random, 100_000), (index) => ({ [index.toString(36)]: 0 })) },
  }),
  manyKeys: (random) => ({
    readerConfig: {
      map: map(
        near(random, 90_000),
        (index) => `k${index}`,
        () => 0,
      ),
    },
  }),
  justBelow: (random) => ({
    readerConfig: { list: repeated(near(random, 9_500), (index) => ({ [index.toString(36)]: 0 })) },
  }),
  deep: (random) => ({ affinity: { podAffinity: { a: nested(near(random, 4_000)) } } }),
  env: (random) => ({
    env: repeated(near(random, 500), (index) => ({ name: `A${index}`, value: text(random, near(random, 2_000)) })),
  }),
  affinity: (random) => ({
    gpu: { count: 1 + Math.floor(random() * 8) },
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodeSelector(random) } },
  }),
  ports: (random) => ({
    ports: repeated(near(random, 100), (index) => ({ containerPort: index + 1, name: `p${index}` })),
    livenessProbe: { httpGet: { port: 'nowhere' }, tcpSocket: { port: 'nowhere' } },
    readinessProbe: { httpGet: { port: 'nowhere' } },
  }),
  annotations: (random) => ({
    podAnnotations: map(
      near(random, 100),
      (index) => `a${index}`,
      () => text(random, near(random, 10_000)),
    ),
  }),
  spread: (random) => ({
    topologySpreadConstraints: repeated(near(random, 100), () => ({ maxSkew: 1, topologyKey: 'a' })),
    tolerations: repeated(near(random, 100), (index) => ({ key: `k${index}`, operator: 'Exists' })),
    volumes: repeated(near(random, 100), (index) => ({ name: `v${index}`, emptyDir: {} })),
  }),
  withoutEffect: () => ({ ingress: { a: 1 }, service: { a: 1 }, exportPrometheusMetrics: true }),
};

function nodeSelector(random: Random): OpenObject {
  const expression = (index: number): OpenObject => ({
    key: index % 3 === 0 ? 'nvidia.com/gpu.product' : `k${index}`,
    operator: random() < 0.7 ? 'NotIn' : 'In',
    values: repeated(near(random, 40), (each) => `v${each}`),
  });
  return {
    nodeSelectorTerms: repeated(near(random, 20), () => ({
      matchExpressions: repeated(near(random, 20), expression),
    })),
  };
}

/** A spec that nobody would write who means well. */
export function hostileSpec(random: Random): OpenObject {
  const names = Object.keys(BOMBS);
  const pick = (): string => names[Math.floor(random() * names.length)] ?? 'plain';
  // A hundred applications are six hundred requests: a few of those, and many that are large in themselves.
  const count = random() < 0.04 ? near(random, 100) : near(random, 4);
  const [inTemplate, inApplications, inGateway] = [pick(), pick(), random() < 0.2 ? pick() : 'plain'];
  const { readerConfig, ...gateway } = BOMBS[inGateway]?.(random) ?? {};
  delete gateway['gpu'];
  return {
    // Colliding names, now and then.
    ...(random() < 0.1 ? { fullnameOverride: `shared${Math.floor(random() * 5)}` } : {}),
    gateway: { ...gateway, ...(readerConfig === undefined ? {} : { config: readerConfig }) },
    applicationTemplate: BOMBS[inTemplate]?.(random) ?? {},
    applications: map(
      count,
      (index) => `a${index}`,
      () => BOMBS[inApplications]?.(random) ?? {},
    ),
  };
}
