import { execFileSync } from 'node:child_process';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** The state of the source that an image is built from. */
export interface SourceRevision {
  /** Commit; with `-dirty` when files differ from it. */
  readonly revision: string;
  /** When it was committed. */
  readonly created: Date;
  /** Where the source is published, when that is known. */
  readonly url?: string;
}

/** Files that affect every program packed into one file: the versions of npm packages, and how TypeScript is read. */
const PACKING = ['package-lock.json', 'tsconfig.json'];

/** Paths of a checkout from which the operator's image and its bundle are made; a test compares with what they import. */
export const OPERATOR_SOURCES: readonly string[] = [
  'controller',
  'packages',
  'components/bundle',
  'components/catalog/fbc.ts',
  'components/catalog/version.ts',
  'components/images/build-context.ts',
  'components/registry/reference.ts',
  ...PACKING,
];

/** The same for a catalog: what it lists, and what renders it. A template may be elsewhere. */
export const CATALOG_SOURCES: readonly string[] = [
  'catalog',
  'components/catalog',
  'components/images',
  'components/registry/reference.ts',
  'packages/api/channels.ts',
  'packages/lib',
  'package-lock.json',
];

/** The same for the demo runtime. */
export const DEMO_SOURCES: readonly string[] = ['demo', ...PACKING];

/**
 * The newest commit that touched some paths of a checkout; paths outside of it have none. So a commit elsewhere in the
 * repository changes no image made from these paths, and restarts no operator. Without git (a source archive) the date
 * is SOURCE_DATE_EPOCH, the convention of reproducible builds, or the epoch.
 */
export function sourceRevision(
  checkout: string,
  paths: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): SourceRevision {
  const url = env['SOURCE_URL'];
  const source = url === undefined || url === '' ? {} : { url };
  const inside = paths.map((path) => relative(checkout, resolve(checkout, path)) || '.').filter(isInside);
  const last = git(checkout, ['log', '-1', '--format=%H %ct', '--', ...inside]);
  const [commit, seconds] = last?.split(' ') ?? [];
  if (commit === undefined || seconds === undefined) {
    return { revision: 'unknown', created: new Date(Number(env['SOURCE_DATE_EPOCH'] ?? 0) * 1000), ...source };
  }
  const dirty = git(checkout, ['status', '--porcelain', '--', ...inside]) !== '';
  return { revision: dirty ? `${commit}-dirty` : commit, created: new Date(Number(seconds) * 1000), ...source };
}

function isInside(path: string): boolean {
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function git(checkout: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', checkout, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
