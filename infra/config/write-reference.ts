import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { configurationReference } from './reference.ts';

/** Where the page lies, relative to this file. */
export const REFERENCE_PAGE = new URL('../../docs/reference/configuration.md', import.meta.url);

/** The page as it is committed. */
export async function formattedReference(): Promise<string> {
  const options = await resolveConfig(REFERENCE_PAGE);
  return format(configurationReference(), { ...options, parser: 'markdown' });
}

if (import.meta.main) await writeFile(REFERENCE_PAGE, await formattedReference());
