import type { Image } from '../../api/types.ts';
import { present } from '../../lib/values.ts';

/** An image of a table, of which the user may replace any part. What is empty replaces nothing. */
export function imageOf(own: Image | undefined, given: Image | undefined): Image {
  return { pullPolicy: 'IfNotPresent', ...own, ...(present({ ...given }) as Image) };
}
