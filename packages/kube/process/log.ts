export type LogFields = Readonly<Record<string, unknown>>;

/** One JSON object a line, with a sentence in `msg`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to every line. */
  with(fields: LogFields): Logger;
}

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export function newLogger(
  level: Level = 'info',
  write: (line: string) => void = (line) => process.stdout.write(line),
  fields: LogFields = {},
): Logger {
  const least = LEVELS.indexOf(level);
  const at =
    (lineLevel: Level) =>
    (msg: string, more: LogFields = {}): void => {
      if (LEVELS.indexOf(lineLevel) < least) return;
      const line = { ts: new Date().toISOString(), level: lineLevel, msg, ...fields, ...more };
      write(`${JSON.stringify(line, plainErrors)}\n`);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (more) => newLogger(level, write, { ...fields, ...more }),
  };
}

/** Errors have no own enumerable properties, so JSON would print them as {}. */
function plainErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}

/** For tests, and for callers that want no log. */
export const silentLogger: Logger = newLogger('error', () => undefined);
