const SUFFIX: Readonly<Record<string, number>> = {
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

/** Divisors. Multiplying by 0.001 instead would often give another number than the same amount written in decimals. */
const PARTS: Readonly<Record<string, number>> = { n: 1e9, u: 1e6, m: 1e3 };

const QUANTITY = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|)$/;

/** The value of a Kubernetes quantity such as `500m` or `2Gi`; nothing when it is not one. */
export function parseQuantity(text: unknown): number | undefined {
  // Users may write anything here: a map is not an amount, and may not even convert to text.
  if (typeof text !== 'string' && typeof text !== 'number') return undefined;
  const match = QUANTITY.exec(String(text));
  const value = Number(match?.[1]);
  if (match === null || Number.isNaN(value)) return undefined;
  const [, , suffix = ''] = match;
  return (value * (SUFFIX[suffix] ?? 1)) / (PARTS[suffix] ?? 1);
}

/** Two spellings of one amount become the same, so that `1000m` and `1` do not look like a difference. */
export function canonicalQuantity(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const amount = parseQuantity(value);
  return amount === undefined ? value : `${amount}`;
}
