import { CommandError } from '../../packages/lib/command.ts';
import { refuse } from '../../packages/lib/problem.ts';
import { showDemo } from '../demo/show-demo.ts';
import { type EnvironmentRun, environmentCommand } from '../environment/environment-command.ts';
import { executeProcess } from '../environment/execute.ts';
import { prepare } from '../environment/prepare.ts';
import { parseDigest } from '../preview/digest.ts';
import { otherChanges, readRecord, recordOf } from '../preview/record.ts';

export const run = environmentCommand('written', async (environment) => {
  const { io, checkout, file, forPulumi, pulumi, outputs, previewed } = environment;
  await prepare(executeProcess, checkout, io.env, file);
  if (previewed !== undefined) await expectPreviewed(environment, previewed);
  await pulumi(['up', '--yes', '--skip-preview', '--suppress-permalink', ...forPulumi]);
  if (file.embedded && file.demo) await showDemo(io, checkout, await outputs());
});

/** Previews once more, and refuses if the change is another than the one that somebody has looked at. */
async function expectPreviewed({ io, environment, previewNow }: EnvironmentRun, file: string): Promise<void> {
  const record = readRecord(await io.read(file), file, environment);
  const now = recordOf(environment, await previewNow().catch(sayWhy), 'the preview of now');
  refuse(otherChanges(record, now, file));
  io.err(`The change is the one that was previewed: ${now.changes.length} resources.\n`);
}

/** A preview in JSON tells its errors in JSON. */
function sayWhy(error: unknown): never {
  if (!(error instanceof CommandError)) throw error;
  const { errors } = parseDigest(error.output, 'the preview of now');
  refuse(errors.map((message) => ({ object: 'the preview of now', path: '', message })));
  throw error;
}
