import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareDirectory } from '../../../toolchain/places.ts';
import { parseManifest, type ManifestObject } from '../../../components/olm/manifest.ts';

const FILE = /^olm-v(\d+\.\d+\.\d+)\.yaml$/;

/** The versions of OLM whose manifests this checkout has. */
export function servedVersions(): readonly string[] {
  const versions = readdirSync(shareDirectory).flatMap((file) => FILE.exec(file)?.[1] ?? []);
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The released manifest of a version, as the module of that version has it. */
export function servedText(version: string): string {
  return readFileSync(join(shareDirectory, `olm-v${version}.yaml`), 'utf8');
}

export function servedManifest(version: string): readonly ManifestObject[] {
  return parseManifest(servedText(version), `olm-v${version}.yaml`);
}

/** The CRDs of a version. */
export function servedDefinitions(version: string): readonly ManifestObject[] {
  return servedManifest(version).filter(({ kind }) => kind === 'CustomResourceDefinition');
}
