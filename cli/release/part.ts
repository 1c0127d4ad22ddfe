import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SemVer } from 'semver';
import { parseParts, PARTS_FILE, writeParts, type Part, type ReleasedPart } from '../../components/catalog/parts.ts';
import { parseReleaseVersion } from '../../components/catalog/version.ts';
import { retaggedProblems } from '../../components/catalog/verify-digests.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { refuse } from '../../packages/lib/problem.ts';
import { LOCK, TEMPLATE } from '../commands/catalog/committed.ts';
import { readState } from '../commands/catalog/files.ts';
import type { Io } from '../io.ts';
import { dirtyProblems, tagProblems } from './checkout.ts';
import { Git, WORK_TREE } from './git.ts';
import { ensureImage } from './images.ts';
import { nextVersionProblems } from './next-version.ts';
import { partBuild } from './part-content.ts';
import { generate } from './records.ts';
import { releaseSettings, type ReleaseOptions } from './settings.ts';
import { signer } from './signer.ts';
import { Steps } from './steps.ts';

const STEPS = 5;

/**
 * Releases a part of this checkout by itself: an image of its files, signed, a line in the record, and a tag `<part>/v<version>`. Versions of a
 * part are counted for themselves. As with a whole release, every step looks first whether it was done.
 */
export async function releasePart(
  part: Part,
  version: SemVer,
  options: Pick<ReleaseOptions, 'unsigned' | 'plainHttp' | 'ca'>,
  client: RegistryClient,
  io: Io,
): Promise<void> {
  const { sign } = signer(options, io.env);
  const settings = releaseSettings(io.env);
  const git = new Git(checkout);
  const steps = new Steps(io, STEPS);
  const tag = `${part}/v${version.version}`;

  const parts = await steps.run('look at the checkout', async () => {
    const recorded = parseParts(await io.read(join(checkout, PARTS_FILE)));
    const others = recorded.filter((one) => one.component === part && one.version !== version.version);
    const isRecorded = recorded.some((one) => isThis(one));
    refuse([
      ...dirtyProblems(await git.changes()),
      ...(isRecorded ? [] : tagProblems(tag, await git.tagged(tag))),
      ...(isRecorded
        ? []
        : nextVersionProblems(
            version.version,
            others.flatMap((one) => parseReleaseVersion(one.version) ?? []),
          )),
    ]);
    return [recorded, `clean; goes to ${settings.imageBase}`];
  });
  const build = await steps.run(`build the ${part}`, async () => {
    if (part === 'catalog') {
      const { lock } = await readState(io, join(checkout, TEMPLATE), join(checkout, LOCK));
      refuse(await retaggedProblems(client, lock, LOCK));
    }
    const made = await partBuild(part, version.version, settings, io);
    return [made, made.reference];
  });
  const image = await steps.run('push it', () => ensureImage(build, { client, buildkit: settings.buildkit }));
  await steps.run('sign it', () => sign(image));
  await steps.run('record it, and tag', async () => {
    const known = parts.find(isThis);
    if (known === undefined) {
      const text = writeParts([...parts, { component: part, version: version.version, image }]);
      await git.commit(WORK_TREE, `docs(release): ${part} ${version.version} by itself`, async (folder) => {
        await writeFile(join(folder, PARTS_FILE), text);
        await generate(folder);
      });
    }
    if ((await git.tagged(tag)) === undefined) {
      const added = await git.run('log', '-1', '--format=%H', `-S${image}`, '--', PARTS_FILE);
      await git.run('tag', '--annotate', '--message', `${part} ${version.version}\n\n${image}`, tag, added);
    }
    return [undefined, known === undefined ? `committed, and tagged ${tag}` : 'recorded already'];
  });
  io.out(`Version ${version.version} of the ${part} is released. Push it: git push origin HEAD ${tag}\n`);

  function isThis(one: ReleasedPart): boolean {
    return one.component === part && one.version === version.version;
  }
}
