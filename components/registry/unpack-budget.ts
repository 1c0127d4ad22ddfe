import { UnpackError } from './unpack-error.ts';

/** The limits for unpacking an image. */
export interface UnpackLimits {
  readonly layers: number;
  /** Bytes that one layer unpacks to, and all of them together. They bound the time that a small blob can cost. */
  readonly layerBytes: number;
  readonly imageBytes: number;
  /** Files, folders and links of all layers. */
  readonly entries: number;
  /** Bytes that are held at once: names, and the text of the wanted files. */
  readonly heldBytes: number;
}

const MIB = 1024 * 1024;

/** Catalogs and bundles are text of a few megabytes; a base image beneath them may have a thousand files. */
export const UNPACK_LIMITS: UnpackLimits = {
  layers: 128,
  layerBytes: 256 * MIB,
  imageBytes: 1024 * MIB,
  entries: 100_000,
  heldBytes: 64 * MIB,
};

/** Counts what unpacking an image costs, and refuses it as soon as that is too much. */
export class UnpackBudget {
  readonly #limits: UnpackLimits;
  #layers = 0;
  #layerBytes = 0;
  #imageBytes = 0;
  #entries = 0;
  #heldBytes = 0;

  constructor(limits: UnpackLimits = UNPACK_LIMITS) {
    this.#limits = limits;
  }

  startLayer(): void {
    this.#layers += 1;
    this.#layerBytes = 0;
    if (this.#layers > this.#limits.layers) throw tooMuch(`has more than ${this.#limits.layers} layers`);
  }

  unpack(bytes: number): void {
    this.#layerBytes += bytes;
    this.#imageBytes += bytes;
    const { layerBytes, imageBytes } = this.#limits;
    if (this.#layerBytes > layerBytes) throw tooMuch(`has a layer that unpacks to more than ${layerBytes} bytes`);
    if (this.#imageBytes > imageBytes) throw tooMuch(`unpacks to more than ${imageBytes} bytes`);
  }

  addEntry(nameBytes: number): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw tooMuch(`has more than ${this.#limits.entries} files`);
    this.hold(nameBytes);
  }

  hold(bytes: number): void {
    this.#heldBytes += bytes;
    const { heldBytes } = this.#limits;
    if (this.#heldBytes > heldBytes) throw tooMuch(`has more than ${heldBytes} bytes of text and names`);
  }
}

function tooMuch(message: string): UnpackError {
  return new UnpackError('', message, 'size');
}
