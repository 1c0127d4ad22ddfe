/** A message of a chat, as the OpenAI API has it. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** What a reader is asked. */
export interface Job {
  readonly id: string;
  readonly messages: readonly Message[];
}

/** What the demo says. It says what it is, so that nobody takes it for a model. */
export function answer(messages: readonly Message[], modelName: string, readerId: string): string {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return `This is the demo runtime: no model is loaded. Reader ${readerId} stands in for ${modelName} and was asked: ${asked}`;
}
