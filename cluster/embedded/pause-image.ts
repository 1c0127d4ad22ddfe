import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../packages/lib/command.ts';
import type { Layout } from './layout.ts';
import type { Machine } from './machine.ts';

/** The image that holds a pod's namespaces open. It is built here and never pulled. */
export const PAUSE_IMAGE = 'localhost/inference-stack-fleet/pause:1';

/** Puts the pause image into containerd if it is not there yet. */
export async function ensurePauseImage(layout: Layout, machine: Machine, ctr: string, init: string): Promise<void> {
  const client = [ctr, '--address', layout.containerdSocket, '--namespace', 'k8s.io', 'images'];
  const present = await machine.enter([...client, 'list', '--quiet', `name==${PAUSE_IMAGE}`]);
  if (present.includes(PAUSE_IMAGE)) return;
  const archive = await writeArchive(join(layout.run, 'pause-image'), init);
  await machine.enter([...client, 'import', archive]);
  rmSync(join(layout.run, 'pause-image'), { recursive: true });
}

/** An archive as `docker save` writes it: one layer with one static binary. */
async function writeArchive(directory: string, init: string): Promise<string> {
  if (existsSync(directory)) rmSync(directory, { recursive: true });
  mkdirSync(directory, { recursive: true });
  copyFileSync(init, join(directory, 'pause'));
  await run('tar', ['--create', '--file=layer.tar', 'pause'], { cwd: directory });
  const layer = createHash('sha256')
    .update(readFileSync(join(directory, 'layer.tar')))
    .digest('hex');
  const config = {
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: { Entrypoint: ['/pause', '-P'], User: '65535:65535' },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
  };
  writeFileSync(join(directory, 'config.json'), JSON.stringify(config));
  const manifest = [{ Config: 'config.json', RepoTags: [PAUSE_IMAGE], Layers: ['layer.tar'] }];
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  await run('tar', ['--create', '--file=image.tar', 'manifest.json', 'config.json', 'layer.tar'], { cwd: directory });
  return join(directory, 'image.tar');
}
