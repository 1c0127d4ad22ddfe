/**
 * What BuildKit attaches to an image beside its layers. The digest is then that of an index, which holds the same image
 * manifest as without attestations. Provenance records when the build ran, so every build gives a different index.
 */
export interface Attestations {
  /** How the image was built, and from what. */
  readonly provenance?: boolean;
  /** Which packages are in it. */
  readonly sbom?: boolean;
  /** The image that finds the packages, where BuildKit's own choice cannot be pulled. */
  readonly sbomScanner?: string;
}

/** Kinds of attestations with their parameters, as BuildKit writes them. */
export function attestationParameters(wanted: Attestations): ReadonlyMap<'provenance' | 'sbom', string> {
  const { provenance = false, sbom = false, sbomScanner } = wanted;
  return new Map([
    ...(provenance ? [['provenance', 'mode=max'] as const] : []),
    ...(sbom ? [['sbom', sbomScanner === undefined ? '' : `generator=${sbomScanner}`] as const] : []),
  ]);
}
