import type { OpenObject } from '../../../../packages/lib/json.ts';

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

/** Values of an application that cost as much as they can, each in its own way. They are made of as many parts as fit into a share of 1. */
const BOMBS: Readonly<Record<string, (random: Random, share: number) => OpenObject>> = {
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
  longText: (random, share) => ({ readerConfig: { text: text(random, near(random, 240_000 * share)) } }),
  manyValues: (random, share) => ({ readerConfig: { list: repeated(near(random, 9_500 * share), () => 0) } }),
  manyMaps: (random, share) => ({
    readerConfig: { list: repeated(near(random, 4_700 * share), (index) => ({ [index.toString(36)]: 0 })) },
  }),
  manyKeys: (random, share) => ({
    readerConfig: {
      map: map(
        near(random, 9_500 * share),
        (index) => `k${index}`,
        () => 0,
      ),
    },
  }),
  deep: (random, share) => ({
    affinity: { podAffinity: { a: nested(near(random, Math.max(25, 800 * (share - 1)))) } },
  }),
  env: (random, share) => ({
    env: repeated(near(random, 100), (index) => ({
      name: `A${index}`,
      value: text(random, near(random, 1_000 * share)),
    })),
  }),
  affinity: (random) => ({
    gpu: { count: 1 + Math.floor(random() * 8) },
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodeSelector(random) } },
  }),
  keepAway: (random, share) => ({
    podLabels: map(
      near(random, 100),
      (index) => `l${index}`,
      () => 'x'.repeat(near(random, 63)),
    ),
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: repeated(near(random, 20), (index) => ({
          topologyKey: index % 2 === 0 ? 'kubernetes.io/hostname' : `k${index}`,
          matchLabelKeys: repeated(near(random, 100 * share), (each) => `l${each}`),
          labelSelector: { matchExpressions: repeated(near(random, 200 * share), labelRequirement) },
        })),
      },
    },
  }),
  longNames: (random, share) => ({
    readerConfig: map(
      near(random, 250 * Math.min(1, share)),
      (index) => `${index}${'aB'.repeat(near(random, 500))}`,
      () => 0,
    ),
  }),
  claims: (random) => ({
    volumes: repeated(near(random, 100), (index) => ({
      name: `v${index}`,
      persistentVolumeClaim: { claimName: `c${index}` },
    })),
  }),
  notTexts: () => {
    const odd = { toString: 1, valueOf: 1 };
    return {
      topologySpreadConstraints: [{ topologyKey: odd }],
      ports: [{ containerPort: 1, hostPort: 1, protocol: odd }],
    };
  },
  ports: (random) => ({
    ports: repeated(near(random, 100), (index) => ({ containerPort: index + 1, name: `p${index}` })),
    livenessProbe: { httpGet: { port: 'nowhere' }, tcpSocket: { port: 'nowhere' } },
    readinessProbe: { httpGet: { port: 'nowhere' } },
  }),
  annotations: (random, share) => ({
    podAnnotations: map(
      near(random, 100),
      (index) => `a${index}`,
      () => text(random, near(random, 4_000 * share)),
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

function labelRequirement(index: number): OpenObject {
  return { key: `l${index}`, operator: 'NotIn', values: ['a', 'b'] };
}

/** Most specs are to be served, since a refusal costs little; the others are up to six times as large. */
function size(random: Random): number {
  return random() < 0.85 ? 0.9 : 1 + 5 * random();
}

/** Where a spec puts its bombs: each applications' own, the template's that counts for each of them, or some of both and the gateway. */
const PLACES = [
  { template: 1, applications: 0, gateway: 0 },
  { template: 0, applications: 1, gateway: 0 },
  { template: 1 / 3, applications: 1 / 3, gateway: 1 / 3 },
];

/** A spec that nobody would write who means well. */
export function hostileSpec(random: Random): OpenObject {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  // A hundred applications are six hundred requests: a few of those, and many that are large in themselves.
  const count = random() < 0.04 ? near(random, 100) : near(random, 4);
  const place = pick(PLACES);
  const share = size(random);
  const bomb = (part: number): (() => OpenObject) => {
    const make = pick(Object.values(BOMBS));
    return () => (part === 0 ? {} : make(random, part * share));
  };
  const { readerConfig, ...gateway } = bomb(place.gateway)();
  delete gateway['gpu'];
  return {
    // Colliding names, now and then.
    ...(random() < 0.1 ? { fullnameOverride: `shared${Math.floor(random() * 5)}` } : {}),
    gateway: { ...gateway, ...(readerConfig === undefined ? {} : { config: readerConfig }) },
    applicationTemplate: bomb(place.template / Math.max(1, count))(),
    applications: map(count, (index) => `a${index}`, bomb(place.applications / Math.max(1, count))),
  };
}
