import { run } from '../../packages/lib/command.ts';
import { programsFile } from '../../toolchain/places.ts';
import { readProgramsFile } from '../../toolchain/programs-file.ts';
import type { Step } from './main.ts';

/** Installs Pulumi's released plugins, in the versions that programs.yaml pins: `make` builds those that are not there. */
export const plugins: Step = async () => {
  for (const { plugin } of Object.values(readProgramsFile(programsFile).programs)) {
    const [, name, version] = /^resource-(.+)@(.+)$/.exec(plugin ?? '') ?? [];
    if (name === undefined || version === undefined) continue;
    await run('pulumi', ['plugin', 'install', 'resource', name, version]);
    console.log(`${name} ${version} is installed.`);
  }
};
