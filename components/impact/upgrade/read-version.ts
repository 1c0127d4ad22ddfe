import { bundleVersion, type FbcBundle } from '../../catalog/fbc.ts';
import { pullFiles } from '../../registry/image-files.ts';
import { isByDigest, parseReference } from '../../registry/reference.ts';
import type { RegistryClient } from '../../registry/registry-client.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import type { AskableVersion } from './ask-version.ts';

/** Where the operator's image has its one file. */
const FOLDER = 'app/';
const FILE = 'app/controller.cjs';

/** The name under which a bundle lists the image of the operator. */
const IMAGE_NAME = 'controller';

/** The image of the operator that a bundle installs; undefined where a catalog does not say. */
export function operatorImage({ relatedImages = [] }: FbcBundle): string | undefined {
  return relatedImages.find(({ name }) => name === IMAGE_NAME)?.image;
}

/** The code of a released version, from the image that its bundle names by digest. What the registry sends is checked against it. */
export async function readReleasedVersion(client: RegistryClient, bundle: FbcBundle): Promise<AskableVersion> {
  const image = operatorImage(bundle);
  const reference = image === undefined ? undefined : parseReference(image);
  if (reference === undefined || image === undefined || !isByDigest(image)) {
    throw unaskable(bundle.name, 'names no image of an operator by digest');
  }
  const { files } = await pullFiles(client, reference, [FOLDER]);
  const source = files.get(FILE);
  if (source === undefined) throw unaskable(image, `has no ${FILE}`);
  const version = bundleVersion(bundle)?.version ?? '';
  return { name: `operator ${version}`, version, source };
}

function unaskable(object: string, message: string): ProblemsError {
  const remedy = 'Its impact is not known: only an operator of this project can be asked.';
  return new ProblemsError([{ object, path: '', message, remedy }]);
}
