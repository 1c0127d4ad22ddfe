import { shortened } from '../../../packages/lib/message.ts';

/** A text of a program that nobody has to trust, as one short line that cannot steer a terminal. */
export function plainText(text: string, limit?: number): string {
  // Also what changes the direction of text, and so what a line seems to say.
  return shortened(text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' '), limit);
}
