/** A program that does nothing: what a preview costs before anything of ours runs. */
export const nothing: Readonly<Record<string, string>> = {};
