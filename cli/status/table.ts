/** Columns of text under their headings, as kubectl prints them. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => (cells[column] ?? '').padEnd(width))
      .join('  ')
      .trimEnd();
  return headings.length === 0 ? '' : [headings, ...rows].map((cells) => `${line(cells)}\n`).join('');
}

/** A row of a table, for programs. */
export type Row = Readonly<Record<string, string>>;

interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table under the plural of its first column, with rows by the names of the columns: `stacks`, each with `stack`, `asksFor`. */
export function named({ headings, rows }: Table): [name: string, rows: readonly Row[]] {
  const [first = ''] = headings;
  const list = rows.map((cells) =>
    Object.fromEntries(headings.map((heading, column) => [camelCase(heading), cells[column] ?? ''])),
  );
  return [camelCase(first).replace(/s?$/, 's'), list];
}

function camelCase(heading: string): string {
  return heading.toLowerCase().replace(/ ([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
