import { GATEWAY } from '../../../packages/api/names.ts';
import { applicationComponent, COMPONENT_LABEL } from '../../../packages/render/names.ts';
import { joinPath, type ObjectReader } from '../objects/object-reader.ts';

/** A field of a stack that sets a field of the objects made for it. */
export interface StackField {
  readonly path: string;
  /** Whether the stack has it. */
  readonly isSaid: boolean;
}

/** A field as one layer names it: the gateway, an application, or the template of applications. */
type InLayer = (layer: ObjectReader) => { readonly field: string; readonly isSaid: boolean };

const POD = 'spec.template.spec';

/**
 * The fields of a stack that set a field of one of its Deployments. The one to change comes first: the application's if
 * it is set, else the template's. If neither is set, it is the template's when several applications share it.
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

/** The layers of a stack that describe the pods of a Deployment, the stronger one first. */
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

/** The name of a pod's field in a stack; without one, the whole layer is named. */
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

/** A volume is either one of the user's or the volume of the models, which is not in a list. */
function volumeField(name: string | undefined, field: string): InLayer {
  return (layer) => {
    const index = layer.list('volumes').findIndex((volume) => volume.text('name') === name);
    if (index !== -1) return { field: `volumes[${index}].${field}`, isSaid: true };
    return { field: `modelsVolume.${field}`, isSaid: layer.has('modelsVolume') };
  };
}
