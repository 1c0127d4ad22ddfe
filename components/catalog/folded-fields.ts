import type { Problem } from '../../packages/lib/problem.ts';
import { isObject } from '../../packages/lib/json.ts';
import { definedOnly } from '../../packages/lib/values.ts';

/** The fields of one mapping, taken by case-insensitive name. A field that is never taken is a mistake. */
export class FoldedFields {
  private readonly entries = new Map<string, { key: string; value: unknown }>();
  readonly path: string;
  readonly file: string;
  readonly problems: Problem[];

  constructor(source: unknown, path: string, file: string, problems: Problem[]) {
    this.path = path;
    this.file = file;
    this.problems = problems;
    if (!isObject(source)) {
      problems.push({ object: file, path: path.replace(/\.$/, ''), value: source, message: 'must be a mapping' });
      return;
    }
    for (const [key, value] of Object.entries(source)) {
      const folded = key.toLowerCase();
      if (this.entries.has(folded)) this.complain(key, value, 'is given twice', 'Keep one of the two.');
      this.entries.set(folded, { key, value });
    }
  }

  take(name: string): unknown {
    const entry = this.entries.get(name.toLowerCase());
    this.entries.delete(name.toLowerCase());
    return entry?.value ?? undefined;
  }

  flag(name: string): boolean {
    const value = this.take(name);
    if (value !== undefined && typeof value !== 'boolean') this.complain(name, value, 'must be true or false');
    return value === true;
  }

  nested(name: string): FoldedFields | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    return new FoldedFields(value, `${this.path}${name}.`, this.file, this.problems);
  }

  list(name: string): FoldedFields[] {
    const value = this.take(name);
    this.refuseRest();
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.complain(name, value, 'must be a list');
      return [];
    }
    return value.map(
      (item, index) => new FoldedFields(item, `${this.path}${name}[${index}].`, this.file, this.problems),
    );
  }

  refuseRest(): void {
    for (const { key, value } of this.entries.values()) {
      this.complain(key, value, 'is not a field of an olm.semver template', 'Remove it, or correct its spelling.');
    }
  }

  private complain(key: string, value: unknown, message: string, remedy?: string): void {
    const path = `${this.path}${key}`;
    this.problems.push(definedOnly({ object: this.file, path, value, message, remedy }));
  }
}
