import { EMBEDDED_OLM } from '../../components/olm/versions.ts';
import { isObject } from '../../packages/lib/json.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { checkSettings } from './check.ts';
import { environmentFileName, PROJECT } from './project.ts';
import { readFields, type Shape } from './field.ts';
import { SETTINGS, type Settings } from './schema.ts';

/** Pulumi's own configuration map, where every value is text: `project:key` to text or JSON. */
export type ConfigMap = Readonly<Record<string, string>>;

/** What a configuration says, as far as it can be read. */
export interface ReadSettings {
  /** Settings with a problem are absent. */
  readonly settings: Partial<Settings>;
  readonly problems: readonly Problem[];
}

/** Reads and checks the whole configuration of an environment; throws every problem at once. */
export function loadSettings(
  environment: string,
  config: ConfigMap,
  file = environmentFileName(environment),
): Settings {
  const { settings, problems } = readSettings(config);
  if (isComplete(settings, problems)) return settings;
  throw new ProblemsError(problems.map((problem) => ({ object: file, ...problem })));
}

export function readSettings(config: ConfigMap): ReadSettings {
  const problems: Problem[] = [];
  const settings = readFields(SETTINGS, withOlm(writtenSettings(config, problems)), '', problems);
  // Contradictions are only looked for in settings that could be read.
  return { settings, problems: isComplete(settings, problems) ? checkSettings(settings) : problems };
}

/** A setting that is missing or could not be read is a problem. */
function isComplete(_settings: Partial<Settings>, problems: readonly Problem[]): _settings is Settings {
  return problems.length === 0;
}

/** The embedded cluster has programs of one version of OLM, which is therefore its default. */
function withOlm(written: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { cluster, olm = {} } = written;
  if (cluster !== 'embedded' || !isObject(olm)) return written;
  return { ...written, olm: { ...olm, version: olm['version'] ?? EMBEDDED_OLM } };
}

function writtenSettings(config: ConfigMap, problems: Problem[]): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(config)) {
    const [project, key] = splitOnce(name, ':');
    if (project === PROJECT) written[key] = parse(key, value, problems);
  }
  return written;
}

/** Structured settings arrive as JSON; texts, numbers and flags as they were written. */
function parse(key: string, value: string, problems: Problem[]): unknown {
  const shape: Shape = SETTINGS;
  const field = shape[key];
  if (field?.structured !== true) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    problems.push({
      path: key,
      ...(field.secret ? {} : { value }),
      message: `must be a ${field.kind}`,
      remedy: 'Write it as YAML in the environment’s file.',
    });
    return undefined;
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? ['', text] : [text.slice(0, at), text.slice(at + 1)];
}
