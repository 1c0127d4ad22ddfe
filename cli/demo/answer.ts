import { objectsAt, textAt, valueAt } from '../../packages/lib/json.ts';

/** What a chat completion says, and how fast it was made. */
export interface Answer {
  readonly words: string;
  /** Undefined if the server does not count tokens. */
  readonly tokens?: number;
  readonly tokensPerSecond?: number;
}

/** Reads a chat completion. llama.cpp says itself how fast it was; for others the whole time of the request counts. */
export function readAnswer(completion: unknown, seconds: number): Answer {
  const words = textAt(objectsAt(completion, 'choices')[0], 'message', 'content').trim();
  const tokens = valueAt(completion, 'usage', 'completion_tokens');
  if (typeof tokens !== 'number' || tokens === 0) return { words };
  const measured = valueAt(completion, 'timings', 'predicted_per_second');
  return {
    words,
    tokens,
    tokensPerSecond: typeof measured === 'number' ? measured : tokens / Math.max(seconds, 0.001),
  };
}

/** The answer for a person. */
export function describeAnswer(model: string, { words, tokens, tokensPerSecond }: Answer): string {
  const speed =
    tokens === undefined || tokensPerSecond === undefined
      ? ''
      : `\n  (${tokens} tokens, ${tokensPerSecond.toFixed(1)} tokens a second)`;
  return `${model} answers: ${words}${speed}`;
}
