/**
 * The known name that a person most likely meant, if one is close: a slip or two of the pen, or other letters and
 * connectors. Names that merely resemble one are left alone, since what is not known may still be meant.
 */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const given = plain(name);
  let closest: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(given, plain(candidate), allowedSlips(given));
    if (distance !== undefined && distance < (closest?.distance ?? Infinity)) closest = { name: candidate, distance };
  }
  return closest?.name;
}

/** In a short name a single other letter makes another word. */
function allowedSlips(name: string): number {
  return Math.min(2, Math.floor(name.length / 4));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/**
 * How many letters have to be added, left out, replaced or swapped with their neighbour; nothing when they are more than
 * the limit.
 */
function editDistance(from: string, to: string, limit: number): number | undefined {
  if (Math.abs(from.length - to.length) > limit) return undefined;
  // What lies further from the diagonal than the limit costs more than the limit.
  let before: number[] = [];
  let leastBefore = 0;
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current: number[] = [];
    current[0] = row;
    let least = Infinity;
    for (let column = Math.max(1, row - limit); column <= Math.min(to.length, row + limit); column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const distance = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
        swapped ? cell(before, column - 2) + 1 : Infinity,
      );
      current[column] = distance;
      if (distance < least) least = distance;
    }
    // Most names have nothing in common, which their first letters show. Two rows, since a swap looks back at both.
    if (least > limit && leastBefore > limit) return undefined;
    leastBefore = least;
    [before, last] = [last, current];
  }
  const distance = cell(last, to.length);
  return distance <= limit ? distance : undefined;
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
