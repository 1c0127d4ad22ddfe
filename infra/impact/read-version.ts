import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleVersion } from '../../components/catalog/fbc.ts';
import type { PlannedOperator } from '../../components/fleet/plan.ts';
import type { AskableVersion } from '../../components/impact/upgrade/ask-version.ts';
import { readReleasedVersion } from '../../components/impact/upgrade/read-version.ts';
import { codeOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import type { PreparedCatalog } from '../catalog/prepare-catalog.ts';
import type { Environment } from '../environment.ts';
import { withRegistry } from '../registry.ts';

/** Where `npm run build` puts the operator of a checkout, which goes into its image. */
const BUILT = 'controller/dist/controller.cjs';

/** The code that an operator would run: that of its image, or this checkout's where the catalog is built from it. */
export async function readVersion(
  environment: Environment,
  { origin }: PreparedCatalog,
  { plan, bundles }: PlannedOperator,
): Promise<AskableVersion> {
  if (origin.source === 'checkout') return readCheckoutVersion(environment.checkout, plan.to);
  const bundle = bundles.find((each) => bundleVersion(each)?.raw === plan.to);
  if (bundle === undefined) throw new Error(`the catalog does not have ${plan.to}`);
  return withRegistry(environment, (client) => readReleasedVersion(client, bundle));
}

async function readCheckoutVersion(checkout: string, version: string): Promise<AskableVersion> {
  const source = await readFile(join(checkout, BUILT), 'utf8').catch((error: unknown) => {
    const remedy = 'Build it: npm run build --workspace controller.';
    throw new ProblemsError([{ object: BUILT, path: '', message: `cannot be read (${codeOf(error)})`, remedy }]);
  });
  return { name: `operator ${version} of this checkout`, version, source };
}
