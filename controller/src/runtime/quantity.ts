const SUFFIX: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const QUANTITY = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|)$/;

/** The value of a Kubernetes quantity such as `500m` or `2Gi`; nothing when it is none. */
export function parseQuantity(text: unknown): number | undefined {
  const match = QUANTITY.exec(String(text));
  const factor = SUFFIX[match?.[2] ?? ''];
  const value = Number(match?.[1]);
  return match === null || factor === undefined || Number.isNaN(value) ? undefined : value * factor;
}

/** Two spellings of one amount become the same, so that `1000m` and `1` do not look like a difference. */
export function canonicalQuantity(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const amount = parseQuantity(value);
  return amount === undefined ? value : `${amount}`;
}
