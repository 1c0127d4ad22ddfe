import { hash } from 'node:crypto';
import type { EnvVar, Model } from '../../api/types.ts';
import { TOKEN_KEY } from '../../api/defaults.ts';
import { present } from '../../lib/values.ts';
import type { Folder } from './folders.ts';
import type { EngineFacts, EngineSettings } from './table.ts';

/** Where the models volume, or the cache, is in the container. Not where images keep models of their own. */
export const MODELS_FOLDER = '/mnt/models';

/** Where an image with a model is. */
const IMAGE_FOLDER = '/mnt/model';

const IMAGE_VOLUME = 'model';

/** Where engines keep what they may lose: a volume that lives as long as the pod. */
export const CACHE_FOLDER = '/cache';

/** What a model's source means for an engine. */
export interface ModelSource {
  readonly settings: Pick<EngineSettings, 'name' | 'revision' | 'path' | 'url' | 'download'>;
  readonly env: readonly EnvVar[];
  readonly folders: readonly Folder[];
}

/** `keeps` says whether there is a volume for models, into which downloads go then. */
export function modelSource(model: Model | undefined, facts: EngineFacts, keeps: boolean): ModelSource {
  const none = { settings: {}, env: [], folders: [] };
  if (model === undefined) return none;
  const { name, revision, path, url, image } = model;
  const downloads = facts.downloads === undefined ? [] : [{ name: facts.downloads, value: downloadFolder(keeps) }];
  if (name !== undefined) return { ...none, settings: { name, revision }, env: [...token(model), ...downloads] };
  if (url !== undefined) {
    return { ...none, settings: { url, download: `${downloadFolder(keeps)}/${fileOf(url)}` }, env: downloads };
  }
  const offline = Object.entries(facts.offlineEnv ?? {}).map(([key, value]) => ({ name: key, value }));
  if (path !== undefined) return { ...none, settings: { path: within(MODELS_FOLDER, path) }, env: offline };
  if (image === undefined) return none;
  const { reference, pullPolicy } = image;
  return {
    settings: { path: within(IMAGE_FOLDER, (image.path ?? '').replace(/^\/+/, '')) },
    env: offline,
    folders: [
      {
        volume: { name: IMAGE_VOLUME, image: present({ reference, pullPolicy }) },
        mountPath: IMAGE_FOLDER,
        readOnly: true,
      },
    ],
  };
}

/** The model in a few words: what the status shows, and what clients may ask for. */
export function modelTitle(model: Model | undefined): string {
  return model?.name ?? model?.path ?? model?.url ?? model?.image?.reference ?? '';
}

function downloadFolder(keeps: boolean): string {
  return `${keeps ? MODELS_FOLDER : CACHE_FOLDER}/huggingface`;
}

/** A name for what an address leads to. Each address has its own: two models may both be called `model.gguf`. */
function fileOf(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  const name = address.slice(address.lastIndexOf('/') + 1).replace(/[^\w.-]/g, '');
  return `${hash('sha256', url).slice(0, 8)}-${name === '' ? 'model.gguf' : name}`;
}

function token({ tokenSecret }: Model): EnvVar[] {
  if (tokenSecret === undefined) return [];
  const { name, key = TOKEN_KEY } = tokenSecret;
  return [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name, key } } }];
}

function within(folder: string, path: string): string {
  if (path.startsWith('/')) return path;
  return path === '' ? folder : `${folder}/${path}`;
}
