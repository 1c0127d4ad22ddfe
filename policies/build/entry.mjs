// The entry of the built pack. All files that the pack reads lie beside this one.
import { join } from 'node:path';
import { startPack } from '../pulumi/pack.ts';

const folder = import.meta.dirname;
startPack({ folder, lock: join(folder, 'catalog.lock.yaml'), docs: 'README.md' });
