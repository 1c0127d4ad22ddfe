/** Where copies of images are that others name at another registry. */
export interface RegistryMirror {
  /** Repository, or a path that repositories begin with: `docker.io/tytn`. */
  readonly source: string;
  /** What has the copies under the same names and digests: `registry.example.com/mirror/tytn`. */
  readonly mirror: string;
}

/** The file by which OLM, CRI-O and Podman find copies. They ask the first registry where the copy does not answer. */
export function registriesConf(mirrors: readonly RegistryMirror[]): string {
  return mirrors
    .map(({ source, mirror }) =>
      [
        '[[registry]]',
        `prefix = ${JSON.stringify(source)}`,
        `location = ${JSON.stringify(source)}`,
        '',
        '[[registry.mirror]]',
        `location = ${JSON.stringify(mirror)}`,
        '',
      ].join('\n'),
    )
    .join('\n');
}
