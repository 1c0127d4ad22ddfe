import { execFileSync } from 'node:child_process';

/** The state of the source that an image is built from. */
export interface SourceRevision {
  /** Commit; with `-dirty` when files differ from it. */
  readonly revision: string;
  /** When it was committed. */
  readonly created: Date;
  /** Where the source is published, when that is known. */
  readonly url?: string;
}

/** Paths of a checkout from which the operator's images are made. */
export const OPERATOR_SOURCES: readonly string[] = ['controller', 'components/bundle'];

/**
 * The newest commit that touched some paths of a checkout. A commit elsewhere in the repository thus leaves the images
 * made from these paths as they are, and rolls no operator. Without git (a source archive) the date is SOURCE_DATE_EPOCH,
 * as reproducible builds agree, or the epoch.
 */
export function sourceRevision(
  checkout: string,
  paths: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): SourceRevision {
  const url = env['SOURCE_URL'];
  const source = url === undefined || url === '' ? {} : { url };
  const last = git(checkout, ['log', '-1', '--format=%H %ct', '--', ...paths]);
  const [commit, seconds] = last?.split(' ') ?? [];
  if (commit === undefined || seconds === undefined) {
    return { revision: 'unknown', created: new Date(Number(env['SOURCE_DATE_EPOCH'] ?? 0) * 1000), ...source };
  }
  const dirty = git(checkout, ['status', '--porcelain', '--', ...paths]) !== '';
  return { revision: dirty ? `${commit}-dirty` : commit, created: new Date(Number(seconds) * 1000), ...source };
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
