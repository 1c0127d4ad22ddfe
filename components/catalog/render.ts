import { refuse } from '../../packages/lib/problem.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { generateChannels } from './channels.ts';
import type { Versioned } from './channels.ts';
import { bundleCsv, bundleVersion, packageProperty } from './fbc.ts';
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../packages/lib/json.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { Catalog, FbcBundle, FbcDeprecations, FbcPackage } from './fbc.ts';
import { deprecationProblems } from './deprecations.ts';
import { STREAMS, templateImages } from './template.ts';
import type { SemverTemplate, Stream } from './template.ts';
import { precedence } from './version.ts';

/** What a catalog is made of. Nothing here is fetched: bundles come from a registry, a lock or the running build. */
export interface RenderInput {
  readonly template: SemverTemplate;
  /** Rendered bundles by the image name that the template uses for them. */
  readonly bundles: ReadonlyMap<string, FbcBundle>;
  readonly deprecations?: FbcDeprecations | undefined;
  /** The template's file name, for messages. */
  readonly file: string;
}

interface Member extends Versioned {
  readonly bundle: FbcBundle;
  readonly image: string;
}

/** The file-based catalog that a template stands for. Throws with every problem that it finds. */
export function renderCatalog(input: RenderInput): Catalog {
  const { template, file } = input;
  const problems: Problem[] = [];
  const members = {
    Candidate: readStream(input, 'Candidate', problems),
    Fast: readStream(input, 'Fast', problems),
    Stable: readStream(input, 'Stable', problems),
  };
  const all = STREAMS.flatMap((stream) => members[stream]);
  const [first] = all;
  if (templateImages(template).length === 0) {
    const remedy = 'Add the first one with `fleet catalog add`.';
    problems.push({ object: file, path: 'Stable.Bundles', message: 'the template lists no bundles', remedy });
  }
  problems.push(...packageProblems(all, file), ...uniquenessProblems(members, file));
  refuse(problems);
  if (first === undefined) throw new RangeError('a template without problems has a bundle');

  const packageName = first.bundle.package;
  const { channels, defaultChannel } = generateChannels(packageName, template, members);
  const bundles = [...new Set(all.map(({ bundle }) => bundle))];
  const headName = channels.find(({ name }) => name === defaultChannel)?.entries.at(-1)?.name;
  const catalog: Catalog = definedOnly({
    package: {
      schema: 'olm.package' as const,
      name: packageName,
      defaultChannel,
      ...presentation(bundles.find(({ name }) => name === headName)),
    },
    channels,
    bundles,
    deprecations: input.deprecations,
  });
  refuse(deprecationProblems(catalog));
  return catalog;
}

function readStream({ template, bundles, file }: RenderInput, stream: Stream, problems: Problem[]): Member[] {
  return template.images[stream].flatMap((image, index) => {
    const where = { object: file, path: `${stream}.Bundles[${index}].Image`, value: image };
    const bundle = bundles.get(image);
    if (bundle === undefined) {
      problems.push({ ...where, message: 'was not read', remedy: 'Push the bundle image, or correct its name.' });
      return [];
    }
    const version = bundleVersion(bundle);
    if (version === undefined) {
      const stated = packageProperty(bundle)?.version ?? 'none';
      const message = `is bundle ${bundle.name}, whose version is not a semantic version: ${stated}`;
      problems.push({ ...where, message, remedy: 'Build the bundle again with VERSION=X.Y.Z.' });
      return [];
    }
    return [{ name: bundle.name, version, bundle, image }];
  });
}

function packageProblems(members: readonly Member[], file: string): Problem[] {
  const packages = Map.groupBy(members, ({ bundle }) => bundle.package);
  if (packages.size <= 1) return [];
  const example = [...packages].map(([name, of]) => `${name} (${of[0]?.image ?? ''})`).join(' and ');
  const remedy = 'Keep one package per template, and give every other package its own.';
  return [{ object: file, path: '', message: `lists bundles of more than one package: ${example}`, remedy }];
}

/** One name and one version per image; within a stream, no two versions that differ only in build metadata. */
function uniquenessProblems(members: Readonly<Record<Stream, readonly Member[]>>, file: string): Problem[] {
  const problems: Problem[] = [];
  const report = (of: readonly Member[], what: string, remedy: string): void => {
    const images = of.map(({ image }) => image).join(' and ');
    problems.push({ object: file, path: '', message: `${what}: ${images}`, remedy });
  };
  for (const stream of STREAMS) {
    for (const [name, same] of Map.groupBy(members[stream], (member) => member.name)) {
      if (same.length > 1) report(same, `${stream} lists ${name} twice`, 'Remove one of the two.');
    }
    const distinct = [...new Map(members[stream].map((member) => [member.name, member])).values()];
    for (const [version, same] of Map.groupBy(distinct, (member) => precedence(member.version))) {
      const what = `${stream} lists versions of ${version} that cannot be ordered, because at most their build metadata differs`;
      if (same.length > 1) report(same, what, 'Release a new patch version instead.');
    }
  }
  const everywhere = [...new Map(STREAMS.flatMap((s) => members[s]).map((m) => [m.bundle, m])).values()];
  for (const [name, same] of Map.groupBy(everywhere, (member) => member.name)) {
    if (same.length > 1) report(same, `two images are bundle ${name}`, 'Use the same image in every stream.');
  }
  for (const [version, same] of Map.groupBy(everywhere, ({ version }) => version.raw)) {
    if (new Set(same.map(({ name }) => name)).size > 1)
      report(same, `two bundles have version ${version}`, 'Keep one.');
  }
  return problems;
}

/** Icon and description of a package are those of the newest bundle in its default channel. */
function presentation(head: FbcBundle | undefined): Pick<FbcPackage, 'icon' | 'description'> {
  const csv = head === undefined ? undefined : bundleCsv(head);
  const spec = objectAt(csv, 'spec');
  const [icon] = listAt(spec, 'icon');
  const description = textAt(spec, 'description');
  return {
    ...(isObject(icon) ? { icon: readIcon(icon) } : {}),
    ...(description === '' ? {} : { description }),
  };
}

function readIcon(icon: JsonObject): { base64data: string; mediatype: string } {
  return { base64data: textAt(icon, 'base64data'), mediatype: textAt(icon, 'mediatype') };
}
