/** The most places that a pool has: enough for shares of one percent. */
const MOST_PLACES = 100;

/**
 * How many places in a pool each member gets, for weights that are not negative. Onwards counts the active requests of each place, and
 * divides them by its weight, so that a heavy place would not get its share while there are few requests. Places of equal weight do.
 */
export function placesOf(weights: readonly number[]): number[] {
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  if (divisor === 0) return weights.map(() => 0);
  const reduced = weights.map((weight) => weight / divisor);
  const sum = reduced.reduce((total, weight) => total + weight, 0);
  return sum <= MOST_PLACES ? reduced : rounded(reduced, sum);
}

/** The nearest whole places: what is left over after rounding down goes to those that lost most. Nobody who has a weight gets none. */
function rounded(weights: readonly number[], sum: number): number[] {
  const exact = weights.map((weight) => (weight * MOST_PLACES) / sum);
  const places = exact.map((share, index) => (weights[index] === 0 ? 0 : Math.max(1, Math.floor(share))));
  const free = MOST_PLACES - places.reduce((total, count) => total + count, 0);
  const byLoss = [...exact.keys()].sort((a, b) => lossOf(exact, places, b) - lossOf(exact, places, a));
  for (const index of byLoss.slice(0, Math.max(0, free))) places[index] = (places[index] ?? 0) + 1;
  return places;
}

function lossOf(exact: readonly number[], places: readonly number[], index: number): number {
  return (exact[index] ?? 0) - (places[index] ?? 0);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
