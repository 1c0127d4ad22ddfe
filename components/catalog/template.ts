import yaml from 'js-yaml';
import type { Stream as ApiStream } from '../../packages/api/channels.ts';
import { refuse } from '../../packages/lib/problem.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { referenceProblems } from '../registry/reference.ts';
import { FoldedFields } from './folded-fields.ts';

/** The streams as templates write them, from the least to the most stable. */
export const STREAMS = ['Candidate', 'Fast', 'Stable'] as const satisfies readonly Capitalize<ApiStream>[];
export type Stream = (typeof STREAMS)[number];

/** An `olm.semver` template with its defaults filled in: what people edit. */
export interface SemverTemplate {
  readonly generateMajorChannels: boolean;
  readonly generateMinorChannels: boolean;
  readonly defaultChannelTypePreference: 'major' | 'minor';
  /** Bundle images of each stream, in the order of the file. */
  readonly images: Readonly<Record<Stream, readonly string[]>>;
}

/** Reads a template's text. Keys may be written in any case, as opm allows; unknown keys are refused, as opm does. */
export function parseTemplate(text: string, file: string): SemverTemplate {
  const problems: Problem[] = [];
  const fields = new FoldedFields(readYaml(text, file, yaml.CORE_SCHEMA), '', file, problems);
  if (fields.take('Schema') !== 'olm.semver') {
    problems.push({
      object: file,
      path: 'Schema',
      message: 'must be olm.semver',
      remedy: 'Begin with: Schema: olm.semver',
    });
  }
  const major = fields.flag('GenerateMajorChannels');
  const minor = fields.flag('GenerateMinorChannels') || !major;
  const preference = fields.take('DefaultChannelTypePreference') ?? '';
  const images = {
    Candidate: bundleImages(fields, 'Candidate'),
    Fast: bundleImages(fields, 'Fast'),
    Stable: bundleImages(fields, 'Stable'),
  };
  fields.refuseRest();
  problems.push(...preferenceProblems(preference, { major, minor }, file));
  refuse(problems);
  return {
    generateMajorChannels: major,
    generateMinorChannels: minor,
    defaultChannelTypePreference:
      preference === 'major' || preference === 'minor' ? preference : minor ? 'minor' : 'major',
    images,
  };
}

/** Every image that the template names, once, in the order of first mention from the most stable stream down. */
export function templateImages(template: SemverTemplate): string[] {
  return [...new Set([...template.images.Stable, ...template.images.Fast, ...template.images.Candidate])];
}

function bundleImages(fields: FoldedFields, stream: Stream): string[] {
  const list = fields.nested(stream)?.list('Bundles') ?? [];
  return list.flatMap((entry) => {
    const image = entry.take('Image');
    entry.refuseRest();
    if (typeof image === 'string') {
      fields.problems.push(...referenceProblems(image, { object: fields.file, path: `${entry.path}Image` }));
      return [image];
    }
    fields.problems.push({
      object: fields.file,
      path: `${entry.path}Image`,
      value: image,
      message: 'must name a bundle image',
      remedy: 'Write e.g. Image: registry.example.com/fleet/operator-bundle:3.0.0',
    });
    return [];
  });
}

function preferenceProblems(preference: unknown, made: { major: boolean; minor: boolean }, file: string): Problem[] {
  const where = { object: file, path: 'DefaultChannelTypePreference', value: preference };
  if (preference === '') return [];
  if (preference !== 'major' && preference !== 'minor') {
    return [{ ...where, message: 'is not a channel type', remedy: 'Use major or minor, or leave it out.' }];
  }
  if (made[preference]) return [];
  const flag = preference === 'major' ? 'GenerateMajorChannels' : 'GenerateMinorChannels';
  return [
    { ...where, message: 'prefers channels that are not generated', remedy: `Set ${flag}: true, or leave it out.` },
  ];
}
