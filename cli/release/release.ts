import { join } from 'node:path';
import type { SemVer } from 'semver';
import { pullBundle } from '../../components/catalog/pull-bundles.ts';
import { renderReleased } from '../../components/catalog/release.ts';
import { parseReleaseVersion } from '../../components/catalog/version.ts';
import { retaggedProblems } from '../../components/catalog/verify-digests.ts';
import type { ImageBuild } from '../../components/images/build-image.ts';
import { pushedImage } from '../../components/images/image-manifests.ts';
import { bundleBuild, catalogBuild, controllerBuild, type PublishSettings } from '../../components/images/publish.ts';
import { pinImage } from '../../components/registry/pin-image.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { run } from '../../packages/lib/command.ts';
import { refuse } from '../../packages/lib/problem.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { DEPRECATIONS, LOCK, TEMPLATE } from '../commands/catalog/committed.ts';
import { readDeprecations, readState } from '../commands/catalog/files.ts';
import type { Io } from '../io.ts';
import { baseImage } from '../publish-target.ts';
import { compareWithRelease, currentSurface, findingLine } from './assess.ts';
import { checkoutProblems, type Catalogued } from './checkout.ts';
import { bumpProblems, type Finding } from './finding.ts';
import { Git, WORK_TREE } from './git.ts';
import { ensureImage, otherContent, releasedImage, type ReleaseAccess } from './images.ts';
import { bumpBetween, previousRelease } from './next-version.ts';
import { releaseNotes } from './notes.ts';
import { checksums, notesFile, upgradeGraph, writeNotes, writeRecords } from './records.ts';
import { releaseSettings, type ReleaseOptions } from './settings.ts';
import { signer } from './signer.ts';
import { Steps } from './steps.ts';
import { surfaceFile } from './surface.ts';

const STEPS = 12;
/** Without the catalog, which is left to its own release. */
const STEPS_OF_OPERATOR = 10;

/** How the images of a release are built, as far as that is known. */
interface Plan {
  readonly controller: ImageBuild;
  readonly bundleOf: (controllerImage: string) => ImageBuild;
}

/** One release of this checkout, step by step. Each step looks first whether it was done. */
export class Release {
  readonly #options: Omit<ReleaseOptions, 'version'>;
  readonly #client: RegistryClient;
  readonly #io: Io;
  readonly #version: SemVer;
  readonly #git = new Git(checkout);
  readonly #steps: Steps;

  constructor(options: Omit<ReleaseOptions, 'version'>, version: SemVer, client: RegistryClient, io: Io) {
    this.#options = options;
    this.#client = client;
    this.#io = io;
    this.#version = version;
    this.#steps = new Steps(io, options.operatorOnly === true ? STEPS_OF_OPERATOR : STEPS);
  }

  async run(): Promise<void> {
    const { env } = this.#io;
    const settings = releaseSettings(env);
    const { sign, signs } = signer(this.#options, env);
    const access: ReleaseAccess = { client: this.#client, buildkit: settings.buildkit };

    const catalogued = await this.#steps.run('look at the checkout', () => this.#checkout(settings));
    await this.#steps.run('pack the operator', () => pack());
    const findings = await this.#steps.run('compare it with the release before', () => this.#compare(catalogued));
    const plan = await this.#steps.run('look at the registry', () => this.#registry(settings, catalogued, access));
    const controller = await this.#steps.run('push the operator', () => ensureImage(plan.controller, access));
    await this.#steps.run('sign the operator', () => sign(controller));
    const bundle = await this.#steps.run('push the bundle', () => ensureImage(plan.bundleOf(controller), access));
    await this.#steps.run('sign the bundle', () => sign(bundle));
    await this.#steps.run('record it in the catalog', () => this.#record(settings));
    let images: Readonly<Record<string, string>> = { controller, bundle };
    if (this.#options.operatorOnly !== true) {
      const catalog = await this.#steps.run('push the catalog', () => this.#catalog(access));
      await this.#steps.run('sign the catalog', () => sign(catalog));
      images = { ...images, catalog };
    }
    await this.#steps.run('write the notes, and tag', () => this.#finish(images, findings, catalogued.previous, signs));
    const push = `Push it: git push origin HEAD v${this.#version.version}`;
    this.#io.out(`Version ${this.#version.version} is released to ${this.#channel}. ${push}\n`);
  }

  get #channel(): string {
    return this.#options.channel.toLowerCase();
  }

  async #checkout(settings: PublishSettings): Promise<readonly [Catalogued, string]> {
    const state = await readState(this.#io, join(checkout, TEMPLATE), join(checkout, LOCK));
    const released = state.lock.versions.filter(({ version }) => version !== this.#version.version);
    const locked = state.lock.versions.find(({ version }) => version === this.#version.version);
    const versions = released.flatMap(({ version }) => parseReleaseVersion(version) ?? []);
    const previous = previousRelease(this.#version, versions);
    const catalogued = { lock: state.lock, versions, ...definedOnly({ previous, locked }) };
    const isPushed = async (version: string): Promise<boolean> =>
      (await pushedImage(this.#client, `${settings.imageBase}-bundle:${version}`)) !== undefined;
    const wanted = { version: this.#version, channel: this.#options.channel };
    refuse(await checkoutProblems(wanted, catalogued, this.#git, isPushed));
    return [catalogued, `${settings.source.revision.slice(0, 12)}, clean; goes to ${settings.imageBase}`];
  }

  async #compare({ previous }: Catalogued): Promise<readonly [readonly Finding[], string]> {
    if (previous === undefined) return [[], 'this is the first release'];
    const findings = await compareWithRelease(previous, this.#version, this.#io);
    for (const finding of findings) this.#io.out(`        ${findingLine(finding)}\n`);
    const bump = bumpBetween(previous, this.#version);
    refuse(bumpProblems(findings, bump, this.#version.version, previous.version));
    return [
      findings,
      `${String(findings.length)} differences from ${previous.version}, which a ${bump} version may have`,
    ];
  }

  /** Everything that the registry could be refused for is known before anything is pushed. */
  async #registry(
    settings: PublishSettings,
    { lock, locked }: Catalogued,
    access: ReleaseAccess,
  ): Promise<readonly [Plan, string]> {
    const { version } = this.#version;
    const { crdVersion } = this.#options;
    refuse(await retaggedProblems(this.#client, lock, LOCK));
    const base = await pinImage(this.#client, await baseImage(this.#io.env, false));
    const controller = controllerBuild(settings, {
      context: join(checkout, 'controller'),
      baseImage: base,
      tag: version,
    });
    const bundleOf = (controllerImage: string): ImageBuild =>
      bundleBuild(settings, { version, crdVersion, controllerImage }).build;
    const pushed = await releasedImage(controller, access);
    if (pushed === undefined)
      await this.#refuseTag(`${settings.imageBase}-bundle:${version}`, 'it names another operator');
    else await releasedImage(bundleOf(pushed), access);
    if (locked === undefined) {
      await this.#refuseTag(
        `${settings.imageBase}-catalog:${version}`,
        'the version is in no catalog of this checkout',
      );
    }
    return [{ controller, bundleOf }, `no tag of ${version} has other content; the operator is built on ${base}`];
  }

  async #refuseTag(image: string, because: string): Promise<void> {
    const found = await pushedImage(this.#client, image);
    if (found !== undefined) throw otherContent(image, found.digest, because);
  }

  async #record({ imageBase }: PublishSettings): Promise<readonly [undefined, string]> {
    const { version } = this.#version;
    const image = `${imageBase}-bundle:${version}`;
    const pulled = await pullBundle(this.#client, image);
    const { lock } = await readState(this.#io, join(checkout, TEMPLATE), join(checkout, LOCK));
    const locked = lock.versions.find((one) => one.version === version);
    if (locked !== undefined) return [undefined, `recorded already, as ${locked.digest}`];
    const surface = await currentSurface(this.#version, this.#io);
    const message = `feat(catalog): release ${version} to ${this.#channel}\n\nThe bundle is ${pulled.digest}.`;
    await this.#git.commit(WORK_TREE, message, (folder) =>
      writeRecords(folder, { ...pulled, image, channel: this.#options.channel, surface }, this.#io),
    );
    return [undefined, `committed, with ${surfaceFile(version)}`];
  }

  async #catalog(access: ReleaseAccess): Promise<readonly [string, string]> {
    // The commit that recorded the release is part of the image.
    const settings = releaseSettings(this.#io.env);
    const state = await readState(this.#io, join(checkout, TEMPLATE), join(checkout, LOCK));
    const { deprecations } = await readDeprecations(this.#io, join(checkout, DEPRECATIONS));
    const build = catalogBuild(settings, renderReleased(state, deprecations), this.#version.version);
    const known = await this.#git.taggedWords(`v${this.#version.version}`);
    const pushed = known === '' ? undefined : await pushedImage(this.#client, build.reference);
    // What was released later is in later catalogs. This one was finished, and is known by its digest.
    if (pushed !== undefined && known.includes(pushed.digest)) {
      const ref = `${settings.imageBase}-catalog@${pushed.digest}`;
      return [ref, `${ref}, as tag v${this.#version.version} says`];
    }
    return ensureImage({ ...build, alsoAs: `${settings.imageBase}-catalog:latest` }, access);
  }

  async #finish(
    images: Readonly<Record<string, string>>,
    findings: readonly Finding[],
    previous: SemVer | undefined,
    signed: boolean,
  ): Promise<readonly [undefined, string]> {
    const { version } = this.#version;
    const file = notesFile(this.#version);
    const said: string[] = [];
    if (await this.#committed(file)) said.push(`${file} is there`);
    else {
      const text = releaseNotes({
        version,
        channel: this.#channel,
        previous: previous?.version,
        findings,
        images,
        files: await checksums(checkout, [LOCK, surfaceFile(version)]),
        graph: await upgradeGraph(checkout, this.#io),
        signed,
      });
      await this.#git.commit(WORK_TREE, `docs(release): the notes of ${version}`, (folder) =>
        writeNotes(folder, file, text),
      );
      said.push(`${file} is committed`);
    }
    const tag = `v${version}`;
    if ((await this.#git.tagged(tag)) === undefined) {
      const commit = await this.#git.run('log', '-1', '--format=%H', '--', file);
      const lines = Object.entries(images).map(([what, image]) => `${what} ${image}`);
      await this.#git.run(
        'tag',
        '--annotate',
        '--message',
        [`Release ${version}`, '', ...lines].join('\n'),
        tag,
        commit,
      );
      said.push(`tag ${tag} is new`);
    } else said.push(`tag ${tag} is there`);
    return [undefined, said.join(', ')];
  }

  async #committed(file: string): Promise<boolean> {
    return (await this.#git.run('ls-tree', '--name-only', 'HEAD', '--', file)) !== '';
  }
}

/** The operator as its image has it. */
async function pack(): Promise<readonly [undefined, string]> {
  await run(process.execPath, ['build/bundle.ts'], { cwd: join(checkout, 'controller') });
  return [undefined, 'controller/dist/controller.cjs'];
}
