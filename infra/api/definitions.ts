import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import yaml from 'js-yaml';
import type { AppliedDefinition } from '../../components/api/inference-stack-api.ts';
import { INFERENCE_STACK, MODEL_ORCHESTRA } from '../../packages/api/constants.ts';

/** The CRDs that this checkout generated. */
export async function readDefinitions(
  checkout: string,
  withModelOrchestra: boolean,
): Promise<readonly AppliedDefinition[]> {
  const kinds = withModelOrchestra ? [INFERENCE_STACK, MODEL_ORCHESTRA] : [INFERENCE_STACK];
  return Promise.all(
    kinds.map(async ({ plural }) => {
      const text = await readFile(join(checkout, 'packages', 'api', 'crds', `${plural}.yaml`), 'utf8');
      return yaml.load(text) as AppliedDefinition;
    }),
  );
}
