/** A program that does nothing: what a preview costs before a line of Pulumi's SDK runs. */
export const nothing: Readonly<Record<string, string>> = {};
