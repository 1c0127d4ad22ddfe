/** Three layers over a chip: a stack that infers. */
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none" stroke="#1f3a5f" stroke-width="3" stroke-linejoin="round">' +
  '<path d="M32 6 56 18 32 30 8 18z" fill="#7fd1ae"/><path d="M8 28 32 40 56 28"/><path d="M8 38 32 50 56 38"/>' +
  '<path d="M20 46v12M32 52v8M44 46v12"/></svg>';

/** The operator's icon in the form that catalogs carry. */
export const ICON = { base64data: Buffer.from(SVG).toString('base64'), mediatype: 'image/svg+xml' } as const;
