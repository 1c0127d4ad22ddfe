import type { OpenEngine } from '../../api/types.ts';
import { LLAMA_CPP } from './llamacpp.ts';
import { OPENAI } from './openai.ts';
import { SGLANG } from './sglang.ts';
import type { EngineTable } from './table.ts';
import { VLLM } from './vllm.ts';

/** Every open engine that this operator knows. */
export const ENGINE_TABLES: Readonly<Record<OpenEngine, EngineTable>> = {
  vllm: VLLM,
  sglang: SGLANG,
  llamacpp: LLAMA_CPP,
  openai: OPENAI,
};
