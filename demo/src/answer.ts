/** A message of a chat, as the OpenAI API has it. */
export interface Message {
  readonly role: string;
  readonly content: string;
}

/** A request to a reader. */
export interface Job {
  readonly id: string;
  readonly messages: readonly Message[];
}

/** The answer of the demo. It says what it is, so that nobody takes it for a model. */
export function answer(messages: readonly Message[], modelName: string, readerId: string): string {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return `This is the demo runtime: no model is loaded. Reader ${readerId} stands in for ${modelName} and was asked: ${asked}`;
}
