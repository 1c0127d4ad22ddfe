import { textAt } from '../../packages/lib/json.ts';
import type { Image } from '../../packages/api/pod.ts';
import { demoRuntime, type DemoImages } from './demo-stack.ts';

/** An example that is applied, and the question that shows that it works. */
export interface Demo {
  readonly example: string;
  readonly images: DemoImages;
  readonly question: Question;
  /** Said before anything is applied. */
  readonly remark?: string;
}

/** A chat completion, as the OpenAI API asks for one. */
export interface Question {
  readonly model: string;
  readonly messages: readonly { readonly role: 'user'; readonly content: string }[];
  readonly temperature?: number;
}

/** What the program's outputs allow to show: a real model, or else the stand-in. */
export function chooseDemo(outputs: unknown): Demo {
  const [gateway, application] = ['onwards', 'llamacpp'].map((name) => servingImage(outputs, name));
  if (gateway === undefined || application === undefined) return standIn(outputs);
  return {
    example: 'examples/llamacpp/stack.yaml',
    images: { gateway, application },
    // The same answer every time, as far as the processor's arithmetic allows.
    question: { ...ask('smollm2', 'What is the capital of France? Answer in one sentence.'), temperature: 0 },
  };
}

function standIn(outputs: unknown): Demo {
  const image = demoRuntime(outputs);
  return {
    example: 'examples/single-major/stack.yaml',
    images: { gateway: image, application: image },
    question: ask('primary', 'Hello'),
    remark:
      'No model will answer: the images of llama.cpp and of the gateway Onwards could not be built on this machine. ' +
      '`make tools PROGRAMS=serving` says what is missing. The stand-in answers instead.',
  };
}

/** An image by digest, from the outputs. */
function servingImage(outputs: unknown, name: string): Image | undefined {
  const text = (field: string): string => textAt(outputs, 'serving', name, field);
  const [repository, digest] = [text('repository'), text('digest')];
  return repository === '' || digest === '' ? undefined : { repository, digest };
}

function ask(model: string, content: string): Question {
  return { model, messages: [{ role: 'user', content }] };
}
