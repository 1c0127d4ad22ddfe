import { isDeepStrictEqual } from 'node:util';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { parseDeprecations } from './deprecations.ts';
import type { DeprecationEntry, FbcDeprecations } from './fbc.ts';

/** What a deprecations file shall say about one bundle. */
export interface BundleDeprecation {
  readonly bundle: string;
  readonly message: string;
}

/** A bundle's deprecation as file-based catalogs write it. */
export function bundleEntry({ bundle, message }: BundleDeprecation): DeprecationEntry {
  return { reference: { schema: 'olm.bundle', name: bundle }, message };
}

/** Deprecations with this one added, or in the place of an earlier one of its bundle. */
export function withEntry(deprecations: FbcDeprecations, wanted: BundleDeprecation): FbcDeprecations {
  const entry = bundleEntry(wanted);
  const present = deprecations.entries.some((each) => isAbout(each, wanted.bundle));
  const entries = present
    ? deprecations.entries.map((each) => (isAbout(each, wanted.bundle) ? entry : each))
    : [...deprecations.entries, entry];
  return { ...deprecations, entries };
}

/** Whether an entry deprecates the bundle. */
export function isAbout({ reference }: DeprecationEntry, bundle: string): boolean {
  return reference.schema === 'olm.bundle' && reference.name === bundle;
}

/**
 * Writes a bundle's deprecation into the text of a deprecations file, and leaves every other line as it is: the comments
 * in it are the team's notes. The result is read back and compared, so an unusual layout is refused rather than damaged.
 */
export function writeEntry(text: string, packageName: string, wanted: BundleDeprecation, file: string): string {
  const before = parseDeprecations(text, file) ?? { schema: 'olm.deprecations', package: packageName, entries: [] };
  const expected = withEntry(before, wanted);
  if (isDeepStrictEqual(before, expected)) return text;
  const lines = text.trim() === '' ? [] : text.trimEnd().split('\n');
  const present = before.entries.some((each) => isAbout(each, wanted.bundle));
  const edited = `${(present ? replaceMessage(lines, wanted) : insertEntry(lines, packageName, wanted)).join('\n')}\n`;
  if (!isDeepStrictEqual(readBack(edited, file), expected)) {
    const by = `Write this entry there by hand, and run the command again: ${JSON.stringify(bundleEntry(wanted))}`;
    throw new ProblemsError([{ object: file, path: 'entries', message: 'is laid out in an unusual way', remedy: by }]);
  }
  return edited;
}

function insertEntry(lines: readonly string[], packageName: string, wanted: BundleDeprecation): string[] {
  if (!lines.some(isContent)) {
    const head = ['schema: olm.deprecations', `package: ${packageName}`, 'entries:'];
    return [...lines, ...head, ...entryLines('  ', wanted)];
  }
  const list = lines.findIndex((line) => /^entries:/.test(line));
  if (list === -1) return [...lines, 'entries:', ...entryLines('  ', wanted)];
  const key = (lines[list] ?? '').replace(/^entries:\s*(\[\s*\]|null|~)/, 'entries:');
  const length = lines.slice(list + 1).findIndex((line) => /^[^\s#-]/.test(line));
  const end = length === -1 ? lines.length : list + 1 + length;
  const last = lines.slice(0, end).findLastIndex(isContent);
  const dash = lines.slice(list + 1, end).find((line) => /^\s*- /.test(line));
  return lines.toSpliced(last + 1, 0, ...entryLines(/^\s*/.exec(dash ?? '  ')?.[0] ?? '', wanted)).with(list, key);
}

function replaceMessage(lines: readonly string[], wanted: BundleDeprecation): string[] {
  const [reference = ''] = entryLines('', wanted);
  const at = lines.findIndex((line) => line.trimStart() === reference);
  const old = /^\s*message: /.exec(lines[at + 1] ?? '')?.[0];
  return at === -1 || old === undefined ? [...lines] : lines.with(at + 1, `${old}${quoted(wanted.message)}`);
}

function entryLines(indent: string, { bundle, message }: BundleDeprecation): string[] {
  return [`${indent}- reference: { schema: olm.bundle, name: ${bundle} }`, `${indent}  message: ${quoted(message)}`];
}

/** In the quotes that the formatter of this repository would choose. */
function quoted(message: string): string {
  return message.includes("'") && !/["\\]/.test(message) ? `"${message}"` : `'${message.replaceAll("'", "''")}'`;
}

function isContent(line: string): boolean {
  return /^\s*[^\s#]/.test(line);
}

function readBack(text: string, file: string): FbcDeprecations | undefined {
  try {
    return parseDeprecations(text, file);
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}
