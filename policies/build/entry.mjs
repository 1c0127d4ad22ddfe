// The pack as its own folder: everything that it reads of itself lies beside this file once it is built.
import { join } from 'node:path';
import { startPack } from '../pulumi/pack.ts';

const folder = import.meta.dirname;
startPack({ folder, lock: join(folder, 'catalog.lock.yaml'), docs: 'README.md' });
