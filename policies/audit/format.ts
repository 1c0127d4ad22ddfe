import type { AuditReport } from './audit.ts';

/** The report as a table for people, the remedy of each rule once below it. */
export function formatReport(report: AuditReport): string {
  const { findings } = report;
  if (findings.length === 0) return `${summary(report)}\n`;
  const rows = findings.map(({ level, severity, rule, message }) => [level, severity, rule, message] as const);
  const table = align([['LEVEL', 'SEVERITY', 'RULE', 'FINDING'], ...rows]);
  const remedies = new Map(findings.map(({ rule, remedy }) => [rule, remedy]));
  const hints = align([...remedies].map(([rule, remedy]) => [`  ${rule}`, remedy]));
  return `${table}\n\nWhat to do:\n${hints}\n\n${summary(report)}\n`;
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
