// The pack inside of the checkout. Pulumi's host compiles an entry point in TypeScript with its own compiler and settings;
// what JavaScript imports it leaves to Node, which runs TypeScript by itself.
import { join } from 'node:path';
import { startPack } from './pulumi/pack.ts';

const folder = import.meta.dirname;
startPack({ folder, lock: join(folder, '../catalog/catalog.lock.yaml'), docs: 'docs/reference/policies.md' });
