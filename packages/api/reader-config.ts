import type { IntOrString, Scalar } from './pod.ts';

/** Configuration of a reader. Extra keys are passed on. */
export interface ReaderConfig {
  [extra: string]: unknown;
  /**
   * The model: a name on Hugging Face, or a folder of the models volume.
   * @default TitanML/dummy_model
   * @minLength 1
   */
  modelName?: string;
  /** Where the model runs: `cpu` or `cuda`. Without it, `cuda` when `gpu` is set, else `cpu`. */
  device?: string;
  /**
   * The name under which clients ask for the model. Applications with the same group share its requests.
   * @default primary
   * @minLength 1
   */
  consumerGroup?: string;
  /**
   * Whether requests wait in the gateway while the reader is busy.
   * @default true
   */
  bufferRequests?: boolean;
  /** Token for downloading the model. Prefer an environment variable from a Secret: this one is stored in plain text. */
  accessToken?: string;
  /**
   * Port of an external engine.
   * @default 3000
   */
  enginePort?: Scalar;
  /** Whether an external engine computes embeddings. */
  isEmbedding?: Scalar;
  /** Log level of the reader. */
  logLevel?: string;
  /** GPUs that the reader sees, e.g. `0,1`. */
  cudaVisibleDevices?: IntOrString;
  /**
   * The most requests in one batch.
   * @int64
   * @minimum 1
   */
  maxBatchSize?: number;
  /**
   * How many GPUs the model is spread over.
   * @integer
   * @minimum 1
   */
  tensorParallel?: number;
  /** Quantization of the weights. */
  quantType?: string;
  /**
   * The longest sequence, in tokens.
   * @int64
   * @minimum 1
   */
  maxSequenceLength?: number;
  /** Whether to disable CUDA graphs. */
  disableCudaGraph?: Scalar;
  /**
   * How many CUDA graphs to keep.
   * @int64
   * @minimum 0
   */
  cudaGraphCacheCapacity?: number;
  /** Size of the page cache: bytes such as `10MB`, or a share of the memory such as `90%`. */
  pageCacheSize?: IntOrString;
  /**
   * The most tokens in one chunk of the prefill.
   * @int64
   * @minimum 1
   */
  prefillChunkSize?: number;
  /**
   * Bits per value of a quantized cache.
   * @integer
   * @minimum 0
   */
  quantizeCacheBits?: number;
  /**
   * Size of the cache on SSD, in bytes.
   * @int64
   * @minimum 0
   */
  ssdCacheSize?: number;
  /** Backend for constrained decoding: `lmfe`, `outlines`, `all` or `none`. */
  constrainedDecodingBackend?: string;
  /**
   * The most white space in a row that constrained decoding allows.
   * @integer
   * @minimum 0
   */
  lmfeMaxConsecutiveWhitespaces?: number;
  /** Whether to log in JSON. */
  readerLogAsJson?: Scalar;
  /** LoRAs to load. */
  loras?: string;
  /** Whether the reader processes documents. */
  enableDocumentProcessing?: boolean;
}
