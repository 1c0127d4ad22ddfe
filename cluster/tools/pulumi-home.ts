import { existsSync } from 'node:fs';
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

/** A home for Pulumi with the plugins of this checkout; undefined where not all of them have been provided. */
export function pulumiHome({ programs, bin, home }: Places = ownPlaces()): string | undefined {
  const plugins = Object.entries(programs).flatMap(([name, { plugin }]) =>
    plugin === undefined ? [] : [{ program: join(bin, name), place: pluginPath(home, plugin, name) }],
  );
  if (!plugins.every(({ program }) => existsSync(program))) return undefined;
  for (const { program, place } of plugins) link(place, program);
  return home;
}

function ownPlaces(): Places {
  return { programs: readProgramsFile(programsFile).programs, bin: binDirectory, home: pulumiHomeDirectory };
}
