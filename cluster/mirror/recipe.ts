/** An image made of files of this machine. */
export interface ImageRecipe {
  /** Files by their path in the image. */
  readonly files: ReadonlyMap<string, string>;
  readonly dockerfile: string;
}

/** A path in the image, and the file that goes there. */
export type ImageFile = readonly [target: string, source: string];

/** A file that has the same path in the image. */
export function asIs(path: string): ImageFile {
  return [path.slice(1), path];
}

/** Above the ids that a Debian machine gives to people, so that a user who leaves the container is nobody there. */
export const NOBODY_ELSEWHERE = '10001:10001';

/** What an image starts, and as whom. */
export interface ImageStart {
  /** Path of the program in the image. */
  readonly entrypoint: string;
  readonly user: string;
  readonly ports?: readonly number[];
  /** Further instructions. */
  readonly lines?: readonly string[];
}

/**
 * An image that holds these files and nothing else: no shell, no package manager. Everybody may read them, whatever the umask here was,
 * since some clusters give every pod a user id of its own.
 */
export function recipe(
  files: readonly ImageFile[],
  { entrypoint, user, ports = [], lines = [] }: ImageStart,
): ImageRecipe {
  const dockerfile = [
    'FROM scratch',
    'COPY --chmod=u=rwX,go=rX root/ /',
    ...lines,
    `USER ${user}`,
    ...(ports.length === 0 ? [] : [`EXPOSE ${ports.join(' ')}`]),
    `ENTRYPOINT ["${entrypoint}"]`,
    '',
  ];
  return { files: new Map(files), dockerfile: dockerfile.join('\n') };
}
