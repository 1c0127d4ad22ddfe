import { GATEWAY } from '../../../packages/api/names.ts';
import { isWithin } from '../../../packages/lib/problem.ts';
import { applicationComponent, COMPONENT_LABEL, containerName } from '../../../packages/render/names.ts';
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

/** What a stack says of the reader beside an external engine. */
const SIDECAR_FIELDS = ['env', 'ports', 'resources'] as const;

/** For what no field of a stack sets. */
const WHOLE_LAYER: InLayer = () => ({ field: '', isSaid: true });

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
  const [, container, inContainer] = /^\.containers\[(\d+)\]\.(.+)$/.exec(path.slice(POD.length)) ?? [];
  if (container !== undefined && inContainer !== undefined) return containerField(made, Number(container), inContainer);
  const inContext = /^\.securityContext\.(.+)$/.exec(path.slice(POD.length))?.[1];
  if (inContext !== undefined) return plainField(`podSecurityContext.${inContext}`);
  const [, index, inVolume] = /^\.volumes\[(\d+)\]\.(.+)$/.exec(path.slice(POD.length)) ?? [];
  if (index === undefined || inVolume === undefined) return WHOLE_LAYER;
  return volumeField(made.list(...POD.split('.'), 'volumes')[Number(index)]?.text('name'), inVolume);
}

/** Beside an external engine runs a reader with fields of its own. Other containers have none in a stack. */
function containerField(made: ObjectReader, index: number, field: string): InLayer {
  const objectName = made.text('metadata', 'name') ?? '';
  const name = made.list(...POD.split('.'), 'containers')[index]?.text('name');
  const isImage = field === 'image';
  if (name === containerName(objectName, 'sidecar')) {
    if (isImage) return plainField('sidecarImage');
    return SIDECAR_FIELDS.some((own) => isWithin(field, own)) ? plainField(`sidecar.${field}`) : WHOLE_LAYER;
  }
  if (index > 0) return WHOLE_LAYER;
  return plainField(isImage && name === containerName(objectName, 'engine') ? 'externalEngineImage' : field);
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
