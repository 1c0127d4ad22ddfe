/** Escapes text, so that nothing in it becomes markup, HTML or the mention of a user. */
export function plain(text: string): string {
  return text
    .replace(/[\r\n]+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]#|~]/g, '\\$&')
    .replace(/@/g, '&#64;');
}

/** A code span; a value with backticks in it gets a longer fence. */
export function code(text: string): string {
  const oneLine = text.replace(/[\r\n]+/g, ' ').replace(/\|/g, '\\|');
  const longest = Math.max(0, ...[...oneLine.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${oneLine}${pad}${fence}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A part that is closed until somebody opens it. */
export function folded(title: string, body: string): string {
  return `<details><summary>${plain(title)}</summary>\n\n${body}\n\n</details>`;
}
