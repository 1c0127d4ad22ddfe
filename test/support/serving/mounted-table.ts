import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The table as the kubelet mounts a ConfigMap: the file is a link by way of `..data`, a link to a folder that every change replaces by
 * another.
 */
export class MountedTable {
  readonly directory: string;
  #folder: string | undefined;
  #changes = 0;

  constructor(directory: string) {
    this.directory = directory;
  }

  async write(table: string): Promise<void> {
    const before = this.#folder;
    this.#changes += 1;
    this.#folder = `..${this.#changes}`;
    await mkdir(this.#path(this.#folder), { recursive: true });
    await writeFile(join(this.#path(this.#folder), 'routes.json'), table);
    await symlink(this.#folder, this.#path('..data_tmp'));
    await rename(this.#path('..data_tmp'), this.#path('..data'));
    if (before === undefined) await symlink('..data/routes.json', this.#path('routes.json'));
    else await rm(this.#path(before), { recursive: true });
  }

  #path(name: string): string {
    return join(this.directory, name);
  }
}
