import yaml from 'js-yaml';
import { isObject, listAt } from '../../packages/lib/json.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';

/** What can be released by itself beside the operator, with the words for it. */
export const PARTS = {
  catalog: 'Catalog',
  policies: 'Policy pack',
  components: 'Pulumi components',
  cli: 'Command line',
} as const;

export type Part = keyof typeof PARTS;

/** A part that was released by itself. */
export interface ReleasedPart {
  readonly component: Part;
  readonly version: string;
  /** `repository@digest` */
  readonly image: string;
}

/** The file that has all of them, oldest first. */
export const PARTS_FILE = 'docs/releases/parts.yaml';

const HEADER = '# Parts that were released by themselves, oldest first. Written by `fleet release --only`.\n';

export function writeParts(parts: readonly ReleasedPart[]): string {
  return HEADER + writeYaml({ parts });
}

export function parseParts(text: string, file = PARTS_FILE): readonly ReleasedPart[] {
  const parts = listAt(readYaml(text, file, yaml.CORE_SCHEMA), 'parts');
  if (parts.every(isPart)) return parts;
  const remedy = `Restore it, e.g. with git checkout ${file}.`;
  throw new ProblemsError([{ object: file, path: 'parts', message: 'is not what `fleet release` writes', remedy }]);
}

/** The newest of each component, in the order of `PARTS`. */
export function newestParts(parts: readonly ReleasedPart[]): ReleasedPart[] {
  return Object.keys(PARTS).flatMap((component) => parts.findLast((part) => part.component === component) ?? []);
}

function isPart(value: unknown): value is ReleasedPart {
  if (!isObject(value)) return false;
  const { component, version, image } = value;
  return (
    typeof component === 'string' &&
    Object.hasOwn(PARTS, component) &&
    typeof version === 'string' &&
    typeof image === 'string'
  );
}
