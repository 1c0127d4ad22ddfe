import { copyImage, type Copy } from '../../components/mirror/copy-image.ts';
import {
  formatReference,
  parseReference,
  referenceProblems,
  repository,
  type ImageReference,
} from '../../components/registry/reference.ts';
import type { StoredManifest } from '../../components/registry/registry-client.ts';
import { refuse, type Problem } from '../../packages/lib/problem.ts';
import { Progress, type Output } from '../../packages/lib/progress.ts';
import type { Role, WantedImage } from './contents.ts';
import type { Mirrored } from './settings.ts';

/** Copies images one after the other, and says how far it is. */
export async function copyAll(
  stores: Omit<Copy, 'report'>,
  images: readonly WantedImage[],
  output: Output,
  done: (reference: ImageReference, manifest: StoredManifest, role: Role) => void = () => undefined,
): Promise<readonly Mirrored[]> {
  const wanted = readNames(images);
  const progress = new Progress(wanted.length, output);
  const mirrored: Mirrored[] = [];
  for (const { reference, role } of wanted) {
    const bytes = { copied: 0, there: 0 };
    const step = progress.start(formatReference(reference), undefined, () => amounts(bytes));
    try {
      const report: Copy['report'] = { count: (size, how) => void (bytes[how] += size) };
      const manifest = await copyImage({ ...stores, report }, reference);
      done(reference, manifest, role);
      mirrored.push({ reference, digest: manifest.digest, role });
      step.done(amounts(bytes));
    } catch (error) {
      step.failed();
      throw error;
    }
  }
  return mirrored;
}

interface NamedImage {
  readonly reference: ImageReference;
  readonly role: Role;
}

/** A copy keeps path and tag, but not the registry: two registries must not have the same path. */
function readNames(images: readonly WantedImage[]): readonly NamedImage[] {
  refuse(images.flatMap(({ name }) => referenceProblems(name, { path: 'image' })));
  const named = images.flatMap(({ name, role }) => {
    const reference = parseReference(name);
    return reference === undefined ? [] : [{ reference, role }];
  });
  const hosts = new Map<string, string>();
  const clashes = named.flatMap(({ reference }): Problem[] => {
    const other = hosts.get(reference.path) ?? reference.host;
    hosts.set(reference.path, other);
    const remedy =
      'Mirror them in two runs, to two paths: --to registry.example.com/one and --to registry.example.com/two.';
    const message = `has the same path as an image of ${other}, so their copies would be in one repository`;
    return other === reference.host ? [] : [{ object: repository(reference), path: '', message, remedy }];
  });
  refuse(clashes);
  return named;
}

function amounts({ copied, there }: { readonly copied: number; readonly there: number }): string {
  return `${megabytes(copied)} copied${there === 0 ? '' : `, ${megabytes(there)} were there`}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
