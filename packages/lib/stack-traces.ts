/**
 * Takes the source maps of a runner out of stack traces. Pulumi's maps every trace, and takes one for every promise: a tenth of
 * a preview's time. Node runs the TypeScript of this project line by line as it was written, so there is nothing to map.
 */
export function useStackTracesOfNode(): void {
  Reflect.deleteProperty(Error, 'prepareStackTrace');
}
