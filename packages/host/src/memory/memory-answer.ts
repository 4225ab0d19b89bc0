/** What the user is told by a command about memory. */
import type { Json } from "@kedge/protocol";

export type MemoryAnswer = {
  readonly text: string;
  readonly data?: Json;
  readonly isFailure?: true;
  /** What was shown needs a yes: the same words once more, ending with `yes`. */
  readonly needsYes?: true;
};

export function failure(text: string): MemoryAnswer {
  return { text, isFailure: true };
}
