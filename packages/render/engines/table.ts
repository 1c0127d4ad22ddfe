import type { Image, OpenEngine } from '../../api/types.ts';

/** What the operator knows of a stack's application, by the name that tables give it. What is not set is undefined. */
export interface EngineSettings {
  /** The name of the model on Hugging Face. */
  readonly name?: string | undefined;
  readonly revision?: string | undefined;
  /** Where the model is in the container. */
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  /** The file that what is at `url` is kept in. */
  readonly download?: string | undefined;
  /** The name that the engine calls the model by. */
  readonly servedName: string;
  readonly port: string;
  /** GPUs of a pod; undefined without. */
  readonly gpus?: string | undefined;
  /** Whole processors of a pod, at least one. */
  readonly threads: string;
  /** A part of the pod's memory, in mebibytes, for keeping the beginnings of prompts. */
  readonly promptCache: string;
  /** Seconds that requests under way get before the engine ends them. */
  readonly shutdown: string;
}

/** How one setting becomes an argument, or an argument that is always there. */
export interface ArgumentFact {
  readonly setting?: keyof EngineSettings;
  /** What comes in place of the setting's value, once it is set. An empty text: the flag alone. */
  readonly value?: string;
  /** The flag, and its other spellings, by which a user may have set it. None: the value stands alone. */
  readonly flags: readonly string[];
  /** Beginnings of a flag that people write instead of it, and that the engine understands. */
  readonly abbreviations?: readonly string[];
  /** Flags by which a user says the same in another way, as they stand in `args`: the argument is left out then. */
  readonly unless?: readonly string[];
}

/** An HTTP path, and how often it is asked. */
export interface ProbeFacts {
  readonly path: string;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly timeoutSeconds: number;
}

/** Amounts that a container asks for, and may take, where the user says nothing. */
export interface ResourceFacts {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}

/** What an engine is like in one revision of its table. A revision never changes: stacks keep the one that they started with. */
export interface EngineFacts {
  /** Undefined for an engine that has no image of its own. */
  readonly image?: Required<Pick<Image, 'repository' | 'tag'>>;
  /** The image for pods with a GPU, where it is another one. */
  readonly gpuImage?: Required<Pick<Image, 'repository' | 'tag'>>;
  /** Undefined: the image's own. */
  readonly command?: readonly string[];
  readonly arguments: readonly ArgumentFact[];
  readonly env: Readonly<Record<string, string>>;
  /** Added where the model is there already, so that nothing is looked up on the internet. */
  readonly offlineEnv?: Readonly<Record<string, string>>;
  /** The variable with the folder that models of Hugging Face are loaded into. */
  readonly downloads?: string;
  readonly port: number;
  readonly metricsPath: string;
  /** Seconds that a pod goes on serving after it was told to stop, while clients still find it. */
  readonly drainSeconds: number;
  /** Seconds that a pod has to finish what it is doing, drain included. */
  readonly graceSeconds: number;
  readonly startup: ProbeFacts;
  readonly readiness: ProbeFacts;
  readonly liveness: ProbeFacts;
  readonly shmSize?: string;
  readonly resources: ResourceFacts;
  /** Whose GPUs the images are built for, as the first part of an extended resource's name; undefined if nobody knows. */
  readonly gpuVendor?: string;
  /** Whether the image does nothing without a GPU. */
  readonly needsGpu?: boolean;
  /** What the image cannot do without, in words for a person. */
  readonly cannot?: readonly string[];
}

/** Everything that is known about an engine, by revision. Adding an engine is adding such a table. */
export interface EngineTable {
  readonly engine: OpenEngine;
  readonly title: string;
  readonly revisions: readonly [EngineFacts, ...EngineFacts[]];
}

/** The number of the newest revision: they count from 1. */
export function newestRevision({ revisions }: Pick<EngineTable, 'revisions'>): number {
  return revisions.length;
}

/** The facts of a revision, or of the newest one if this operator does not know it yet. */
export function factsOf<Facts>(revisions: readonly [Facts, ...Facts[]], revision: number): Facts {
  return revisions[Math.min(revision, revisions.length) - 1] ?? revisions[0];
}
