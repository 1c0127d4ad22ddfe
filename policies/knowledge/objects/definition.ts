import { GROUP } from '../../../packages/api/constants.ts';
import { known, type ObjectReader } from './object-reader.ts';

/** Whether the object is a CRD of our API. A patch may leave out the group, but the name of every CRD ends with it. */
export function isOurDefinition(object: ObjectReader): boolean {
  if (object.kind !== 'CustomResourceDefinition') return false;
  const group = known(() => object.text('spec', 'group'));
  return group === undefined ? object.text('metadata', 'name')?.endsWith(`.${GROUP}`) === true : group === GROUP;
}
