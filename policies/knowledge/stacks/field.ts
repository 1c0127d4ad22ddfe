import { GATEWAY } from '../../../packages/api/names.ts';
import { applicationComponent, COMPONENT_LABEL } from '../../../packages/render/names.ts';
import { joinPath, type ObjectReader } from '../objects/object-reader.ts';

/** A field of a stack that decides about a field of what is made of it. */
export interface StackField {
  readonly path: string;
  /** Whether the stack has it. */
  readonly isSaid: boolean;
}

/** A field in the words of one layer: the gateway, an application, or the template of applications. */
type InLayer = (layer: ObjectReader) => { readonly field: string; readonly isSaid: boolean };

const POD = 'spec.template.spec';

/**
 * The fields of a stack that decide about a field of a Deployment that is made of it. The one to change comes first: that of
 * the application if it has it, else that of the template; and of what nobody says, the template's where it is for several.
 */
export function stackFieldsOf(stack: ObjectReader, made: ObjectReader, path: string): StackField[] {
  const inLayer = podField(made, path);
  const fields = layersOf(stack, made).map((layer) => {
    const { field, isSaid } = inLayer(stack.child(...layer));
    return { path: [joinPath('', layer), ...(field === '' ? [] : [field])].join('.'), isSaid };
  });
  const isForAll = fields.length > 1 && stack.entries('spec', 'applications').length > 1;
  const unsaid = isForAll ? fields.toReversed() : fields;
  return [...fields.filter(({ isSaid }) => isSaid), ...unsaid.filter(({ isSaid }) => !isSaid)];
}

/** Where a stack says what the pods of a Deployment are like, the stronger layer first. */
function layersOf(stack: ObjectReader, made: ObjectReader): (readonly string[])[] {
  const component = made.text('metadata', 'labels', COMPONENT_LABEL);
  if (component === GATEWAY) return [['spec', 'gateway']];
  const names = stack.entries('spec', 'applications').map(([name]) => name);
  const name = names.find((each) => applicationComponent(each) === component);
  return name === undefined
    ? [['spec']]
    : [
        ['spec', 'applications', name],
        ['spec', 'applicationTemplate'],
      ];
}

/** What a field of a pod is called in a stack. Where that is not known, the layer as a whole is named. */
function podField(made: ObjectReader, path: string): InLayer {
  const inContainer = /^\.containers\[0\]\.(.+)$/.exec(path.slice(POD.length))?.[1];
  if (inContainer !== undefined) return plainField(inContainer);
  const inContext = /^\.securityContext\.(.+)$/.exec(path.slice(POD.length))?.[1];
  if (inContext !== undefined) return plainField(`podSecurityContext.${inContext}`);
  const [, index, inVolume] = /^\.volumes\[(\d+)\]\.(.+)$/.exec(path.slice(POD.length)) ?? [];
  if (index === undefined || inVolume === undefined) return () => ({ field: '', isSaid: true });
  return volumeField(made.list(...POD.split('.'), 'volumes')[Number(index)]?.text('name'), inVolume);
}

function plainField(field: string): InLayer {
  return (layer) => ({ field, isSaid: layer.has(...field.split('.')) });
}

/** A volume is one of the user's, or else that of the models, which has no list to be in. */
function volumeField(name: string | undefined, field: string): InLayer {
  return (layer) => {
    const index = layer.list('volumes').findIndex((volume) => volume.text('name') === name);
    if (index !== -1) return { field: `volumes[${index}].${field}`, isSaid: true };
    return { field: `modelsVolume.${field}`, isSaid: layer.has('modelsVolume') };
  };
}
