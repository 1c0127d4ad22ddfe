import type { AuditFinding, AuditReport } from './audit.ts';

/** The report as a table for people: a row for each object and rule, the remedy of each rule once below it. */
export function formatReport(report: AuditReport): string {
  const { findings } = report;
  if (findings.length === 0) return `${summary(report)}\n`;
  const groups = Object.values(Object.groupBy(findings, ({ level, rule, object }) => `${level} ${rule} ${object}`));
  const rows = groups.flatMap((group = []) => {
    const [first] = group;
    return first === undefined ? [] : [[first.level, first.severity, first.rule, together(group)]];
  });
  const table = align([['LEVEL', 'SEVERITY', 'RULE', 'FINDING'], ...rows]);
  const remedies = new Map(findings.map(({ rule, remedy }) => [rule, remedy]));
  const hints = align([...remedies].map(([rule, remedy]) => [`  ${rule}`, remedy]));
  return `${table}\n\nWhat to do:\n${hints}\n\n${summary(report)}\n`;
}

/** One sentence of several that begin alike: `x should run as non-root, drop all capabilities.` */
function together(findings: readonly AuditFinding[]): string {
  const [first = [], ...others] = findings.map(({ message }) => message.replace(/\.$/, '').split(' '));
  const shared = (words: readonly string[]): number => words.findIndex((word, index) => word !== first[index]);
  const rest = others.map((words) => words.slice(Math.max(0, shared(words))).join(' '));
  return `${[first.join(' '), ...rest].join(', ')}.`;
}

function summary({ findings, mandatory, advisory, objects }: AuditReport): string {
  if (findings.length === 0) return `${objects} objects, no findings.`;
  return `${objects} objects, ${mandatory} mandatory and ${advisory} advisory findings.`;
}

/** Columns as wide as their widest cell, but for the last. */
function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
    )
    .join('\n');
}
