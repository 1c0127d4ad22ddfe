/** What to do about each kind of error. */
const REMEDIES = {
  link: 'Put the file or folder itself into the image, in place of the link.',
  archive: 'Build the image again from plain files and folders, with a common builder.',
  size: 'Bundles and catalogs are a few megabytes of text: check the name, and build the image FROM scratch.',
} as const;

/** Something in an image that OLM might unpack differently than it is read here, or that is too large to read. */
export class UnpackError extends Error {
  /** Path in the image; empty where it is about the image as a whole. */
  readonly path: string;
  readonly remedy: string;
  /** What a link leads to. */
  readonly value: string | undefined;

  constructor(path: string, message: string, remedy: keyof typeof REMEDIES, value?: string) {
    super(message);
    this.name = 'UnpackError';
    this.path = path;
    this.remedy = REMEDIES[remedy];
    this.value = value;
  }
}

/** The longest path that Linux takes; OLM cannot unpack a longer one. */
const MAX_PATH = 4096;

export function boundedName(name: string): string {
  if (name.length <= MAX_PATH) return name;
  throw new UnpackError(`${name.slice(0, 80)}…`, `is a name of more than ${MAX_PATH} characters`, 'archive');
}
