import type { Stage } from '../knowledge/levels.ts';
import type { AuditFinding, AuditReport } from './audit.ts';

/** Where the levels of a report come from, which the report itself does not know. */
export interface LevelsOrigin {
  /** The file that changed levels or settings. */
  readonly config?: string | undefined;
  /** How to choose other levels, in sentences. Absent when the person has chosen already. */
  readonly choice?: string | undefined;
}

const STAGES: Readonly<Record<Stage, string>> = { prod: 'production', dev: 'development' };

/** Limits on the rows of a rule, the findings of a row and the expected items: enough to start with. */
const ROWS = 50;
const EXPECTED = 20;

/**
 * The report as a table for people: a row for each object and rule, the remedy of each rule once below it, then what
 * needs no action.
 */
export function formatReport(report: AuditReport, origin: LevelsOrigin = {}): string {
  const { findings } = report;
  const groups = [...Map.groupBy(findings, ({ level, rule, object }) => `${level} ${rule} ${object}`).values()];
  const end = `${expectedLines(report)}${summary(report, groups)}, ${judged(report, origin)}\n`;
  if (findings.length === 0) return end;
  const rows = [...Map.groupBy(groups, ([first]) => first?.rule).values()].flatMap(rowsOf);
  const table = align([['LEVEL', 'SEVERITY', 'RULE', 'FINDING'], ...rows]);
  const remedies = new Map(findings.map(({ rule, remedy }) => [rule, remedy]));
  const hints = align([...remedies].map(([rule, remedy]) => [`  ${rule}`, remedy]));
  return `${table}\n\nWhat to do:\n${hints}\n\n${end}`;
}

/** A row for each object of a rule. Beyond the limit, objects are only counted. */
function rowsOf(groups: readonly (readonly AuditFinding[])[]): string[][] {
  const rows = groups.slice(0, ROWS).flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [[first.level, first.severity, first.rule, together(group)]];
  });
  const last = rows.at(-1);
  if (last === undefined || groups.length <= ROWS) return rows;
  return [...rows, [...last.slice(0, -1), `and ${groups.length - ROWS} more objects, which -o json lists.`]];
}

/** What is as expected, a line each. */
function expectedLines({ expected }: AuditReport): string {
  if (expected.length === 0) return '';
  const more = expected.length > EXPECTED ? [`  and ${expected.length - EXPECTED} more, which -o json lists.`] : [];
  return `${['As expected:', ...expected.slice(0, EXPECTED).map(({ message }) => `  ${message}`), ...more].join('\n')}\n\n`;
}

/** One sentence of several that begin alike: `x should run as non-root, drop all capabilities.` */
function together(findings: readonly AuditFinding[]): string {
  const [first = [], ...others] = findings.map(({ message }) => message.replace(/\.$/, '').split(' '));
  const shared = (words: readonly string[]): number => words.findIndex((word, index) => word !== first[index]);
  const rest = others.map((words) => words.slice(Math.max(0, shared(words))).join(' '));
  const all = [first.join(' '), ...rest];
  const more = all.length > ROWS ? ` and ${all.length - ROWS} more, which -o json lists` : '';
  return `${all.slice(0, ROWS).join(', ')}${more}.`;
}

/** A line may hold several findings. Both are counted, so the numbers match the table. */
function summary({ findings, objects }: AuditReport, groups: readonly (readonly AuditFinding[])[]): string {
  const counts = (['mandatory', 'advisory'] as const).flatMap((level) => {
    const lines = groups.filter(([first]) => first?.level === level);
    const found = lines.flat().length;
    return found === 0 ? [] : [`${counted(found, `${level} finding`)} in ${counted(lines.length, 'line')}`];
  });
  return [counted(objects, 'object'), ...(findings.length === 0 ? ['no findings'] : counts)].join(', ');
}

/** Other levels give another result for the same cluster, so the report says which ones applied. */
function judged({ stage }: AuditReport, { config, choice }: LevelsOrigin): string {
  const changed = config === undefined ? '' : `, changed by ${config}`;
  return [`judged by the levels of ${STAGES[stage]}${changed}.`, ...(choice === undefined ? [] : [choice])].join(' ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Columns as wide as their widest cell, except the last. */
function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
    )
    .join('\n');
}
