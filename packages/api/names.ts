/** The name that the public chart gives itself; it is part of every object's name. */
export const CHART_NAME = 'inference-stack';

/** Suffix of the gateway's objects; no application may have this name. */
export const GATEWAY = 'gateway';

/** The longest DNS label, and so the longest label value and the longest name of a Service or a container. */
export const LABEL_LIMIT = 63;

export interface NameOverrides {
  readonly nameOverride?: string;
  readonly fullnameOverride?: string;
}

/** What all names of a stack begin with: an existing Helm release of the same name has the same. */
export function fullName(stackName: string, { nameOverride, fullnameOverride }: NameOverrides): string {
  const name = given(nameOverride) ?? CHART_NAME;
  return given(fullnameOverride) ?? (stackName.includes(name) ? stackName : `${stackName}-${name}`);
}

/** A text that says something: an empty one means the same as none. */
export function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
