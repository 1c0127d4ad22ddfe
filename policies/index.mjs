// The pack inside the checkout. Pulumi's host would compile a TypeScript entry with its own compiler and settings.
// It leaves the imports of a JavaScript one to Node, which runs TypeScript directly.
import { join } from 'node:path';
import { startPack } from './pulumi/pack.ts';

const folder = import.meta.dirname;
startPack({ folder, lock: join(folder, '../catalog/catalog.lock.yaml'), docs: 'docs/reference/policies.md' });
