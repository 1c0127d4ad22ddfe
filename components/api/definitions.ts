import { readFile } from 'node:fs/promises';
import yaml from 'js-yaml';
import { GROUP, INFERENCE_STACK, MODEL_ORCHESTRA } from '../../packages/api/constants.ts';
import type { AppliedDefinition } from './inference-stack-api.ts';

const CRDS = new URL('../../packages/api/crds/', import.meta.url);

/** The CRDs of this version of the InferenceStack API; also that of the earlier kind if it is still served. */
export async function readDefinitions(withModelOrchestra = false): Promise<readonly AppliedDefinition[]> {
  const kinds = withModelOrchestra ? [INFERENCE_STACK, MODEL_ORCHESTRA] : [INFERENCE_STACK];
  return Promise.all(
    kinds.map(async ({ plural }) => {
      const text = await readFile(new URL(`${plural}.yaml`, CRDS), 'utf8');
      return inGroup(yaml.load(text) as AppliedDefinition);
    }),
  );
}

/** The files are of the default group; nothing else in them differs from group to group. */
function inGroup(definition: AppliedDefinition): AppliedDefinition {
  const { metadata, spec } = definition;
  return {
    ...definition,
    metadata: { ...metadata, name: `${spec.names.plural}.${GROUP}` },
    spec: { ...spec, group: GROUP },
  };
}
