import { ProblemsError } from '../../packages/lib/problem.ts';
import { formatReference } from './reference.ts';
import type { ImageReference } from './reference.ts';

/** An image that cannot be pulled, with what to do about it. */
export class RegistryError extends ProblemsError {
  /** The registry's answer as HTTP says it, where there was one. */
  readonly status: number | undefined;

  constructor(reference: ImageReference, reason: string, hint: 'login' | 'name' = 'name', status?: number) {
    const remedy =
      hint === 'login'
        ? `Run docker login ${reference.host}, or set DOCKER_CONFIG to a directory whose config.json has its user.`
        : 'Check the name, that the image was pushed, and --plain-http or --ca for a registry of your own.';
    super([{ object: formatReference(reference), path: '', message: `cannot be pulled: ${reason}`, remedy }]);
    this.name = 'RegistryError';
    this.status = status;
  }
}
