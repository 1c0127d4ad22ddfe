/** The release that others get. */
export interface Release {
  /** `v1.2.3`, which is the tag as well. */
  readonly version: string;
  /** Options with which git knows who commits. */
  readonly identity: readonly string[];
  /** More arguments of `make community-bundle`. */
  readonly makeArguments: readonly string[];
  /** Where git finds a repository. */
  readonly url: (repository: string) => string;
}
