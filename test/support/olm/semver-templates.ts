import fc from 'fast-check';

/** Versions of four majors, with pre-releases whose order is not that of their text. */
export const VERSION_POOL: readonly string[] = [0, 1, 2, 3].flatMap((major) =>
  [0, 1, 2, 10].flatMap((minor) =>
    // 0.0.0-rc.1 is below the version from which opm starts its search for a default channel, which it then leaves out.
    [1, 2, 3].flatMap((patch) => ['', '-alpha', '-rc.2', '-rc.10'].map((pre) => `${major}.${minor}.${patch}${pre}`)),
  ),
);

const STREAMS = ['Candidate', 'Fast', 'Stable'] as const;

/** Chooses how keys are spelled; all spellings mean the same. */
const spelling = fc.constantFrom<(key: string) => string>(
  (key) => key,
  (key) => key.charAt(0).toLowerCase() + key.slice(1),
  (key) => key.toUpperCase(),
);

const flags = fc.constantFrom<Record<string, boolean | string>>(
  {},
  { GenerateMajorChannels: true },
  { GenerateMinorChannels: true },
  { GenerateMajorChannels: false, GenerateMinorChannels: true, DefaultChannelTypePreference: 'minor' },
  { GenerateMajorChannels: true, GenerateMinorChannels: false, DefaultChannelTypePreference: 'major' },
  { GenerateMajorChannels: true, GenerateMinorChannels: true },
  { GenerateMajorChannels: true, GenerateMinorChannels: true, DefaultChannelTypePreference: 'major' },
  { GenerateMajorChannels: true, GenerateMinorChannels: true, DefaultChannelTypePreference: 'minor' },
);

/** Up to 60 versions; small templates are more frequent, since opm pulls every bundle anew. */
const versions = fc.oneof(
  { arbitrary: fc.shuffledSubarray([...VERSION_POOL], { minLength: 1, maxLength: 8 }), weight: 12 },
  { arbitrary: fc.shuffledSubarray([...VERSION_POOL], { minLength: 8, maxLength: 25 }), weight: 4 },
  { arbitrary: fc.shuffledSubarray([...VERSION_POOL], { minLength: 50, maxLength: 60 }), weight: 1 },
);

/** Texts of valid templates over the pool's versions, whose images are named by `image`. */
export function semverTemplates(image: (version: string) => string): fc.Arbitrary<string> {
  return versions.chain((chosen) =>
    fc
      .record({ flags, spelling, streams: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 60, maxLength: 60 }) })
      .map(({ flags: set, spelling: spell, streams }) => {
        // Each version is in at least one stream: the bits of its number say in which.
        const members = STREAMS.map((stream, bit) => {
          const listed = chosen.filter((_, index) => ((streams[index] ?? 1) >> bit) & 1);
          const bundles = listed.map((version) => ({ [spell('Image')]: image(version) }));
          return [spell(stream), { [spell('Bundles')]: bundles }] as const;
        });
        const settings = Object.entries(set).map(([key, value]) => [spell(key), value] as const);
        return JSON.stringify(Object.fromEntries([[spell('Schema'), 'olm.semver'], ...settings, ...members]));
      }),
  );
}
