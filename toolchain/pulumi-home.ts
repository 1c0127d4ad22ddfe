import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { link } from './ensure.ts';
import { pluginPath } from './from-path.ts';
import { binDirectory, programsFile, pulumiHomeDirectory } from './places.ts';
import { readProgramsFile, type Program } from './programs-file.ts';

interface Places {
  readonly programs: Readonly<Record<string, Pick<Program, 'plugin'>>>;
  /** Where programs are, and the home to furnish with them. */
  readonly bin: string;
  readonly home: string;
}

/** A home for Pulumi with the plugins of this checkout; undefined unless all of them have been provided. */
export function pulumiHome({ programs, bin, home }: Places = ownPlaces()): string | undefined {
  const plugins = Object.entries(programs).flatMap(([name, { plugin }]) =>
    plugin === undefined ? [] : [{ program: join(bin, name), place: pluginPath(home, plugin, name) }],
  );
  if (!plugins.every(({ program }) => existsSync(program))) return undefined;
  for (const { program, place } of plugins) link(place, program);
  keepNoLogs(home);
  return home;
}

function ownPlaces(): Places {
  return { programs: readProgramsFile(programsFile).programs, bin: binDirectory, home: pulumiHomeDirectory };
}

/**
 * Pulumi logs every property of every resource at each run, which takes a third of a preview's time, and no setting
 * turns it off. Without a directory for logs it skips them. `--logtostderr` still logs.
 */
function keepNoLogs(home: string): void {
  const logs = join(home, 'logs');
  if (statSync(logs, { throwIfNoEntry: false })?.isFile() === true) return;
  try {
    rmSync(logs, { recursive: true, force: true });
    writeFileSync(logs, 'Pulumi keeps no logs here: docs/decisions/0057-previews-that-are-fast.md\n');
  } catch {
    // Another run uses the directory, or does the same right now. Only time is lost.
  }
}
