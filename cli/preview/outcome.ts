import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { FileError } from '../../packages/lib/text-file.ts';
import { parseDigest, type Digest } from './digest.ts';
import { parseEvents, type EventLog, type PolicyFinding } from './findings.ts';
import { unreadable } from './unreadable.ts';

/** What is known of a preview, however it ended. */
export interface Outcome {
  /** Absent where the preview cannot be read. */
  readonly digest?: Digest;
  readonly findings: readonly PolicyFinding[];
  readonly hasFailed: boolean;
  /** Why something of it is not known. */
  readonly problems: readonly Problem[];
}

export interface PreviewFiles {
  /** Output of `pulumi preview --json`. */
  readonly preview: string;
  /** Its event log. */
  readonly events?: string | undefined;
}

/** For a preview that was run without an event log. */
const NO_LOG: EventLog = { findings: [], hasFailed: false, problems: [] };

type ReadFile = (file: string) => Promise<string>;

export async function readOutcome({ preview, events }: PreviewFiles, read: ReadFile): Promise<Outcome> {
  const digest = await parsed(preview, read, parseDigest);
  const log = events === undefined ? { value: NO_LOG, problems: [] } : await parsed(events, read, parseEvents);
  return {
    ...(digest.value === undefined ? {} : { digest: digest.value }),
    findings: log.value?.findings ?? [],
    hasFailed: digest.value?.hasFailed === true || log.value?.hasFailed === true,
    problems: [...digest.problems, ...log.problems, ...(log.value?.problems ?? [])],
  };
}

/** Whether the preview succeeded, was read completely, and no policy refused it. */
export function isGood({ findings, hasFailed, problems }: Outcome): boolean {
  return !hasFailed && problems.length === 0 && !findings.some(({ isMandatory }) => isMandatory);
}

/** What is in a file, or the problems that keep it from being read. */
async function parsed<T>(
  file: string,
  read: ReadFile,
  parse: (text: string, file: string) => T,
): Promise<{ value?: T; problems: readonly Problem[] }> {
  try {
    return { value: parse(await read(file), file), problems: [] };
  } catch (error) {
    if (error instanceof FileError) return { problems: unreadable(file, error.problem.message).problems };
    if (error instanceof ProblemsError) return { problems: error.problems };
    return { problems: unreadable(file, `cannot be read: ${messageOf(error)}`).problems };
  }
}
