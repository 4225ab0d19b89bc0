/** What every wire's reader of answers offers: bytes in, model events out, and how it all ended. */
import type { Buffer } from "node:buffer";
import type { ModelEvent, StopReason, Usage } from "@kedge/protocol";

/** What went wrong inside an answer whose transport was fine. */
export type AnswerProblem =
  | { readonly kind: "malformed"; readonly what: string }
  | { readonly kind: "vendor-error"; readonly error: unknown };

export type AnswerConclusion = { readonly stopReason: StopReason; readonly usage: Usage };

export type WireAnswer = {
  readonly push: (chunk: Buffer) => void;
  /** The text of an answer that was not streamed. */
  readonly pushWhole: (text: string) => void;
  /** Reads an event that was not closed before the bytes ended. */
  readonly pushEnd: () => void;
  /** What arrived since the last call. */
  readonly take: () => readonly ModelEvent[];
  readonly problem: () => AnswerProblem | undefined;
  /** True once the vendor said that nothing follows. */
  readonly isDone: () => boolean;
  /** How the answer ended; undefined as long as the vendor gave no reason for stopping. */
  readonly conclusion: () => AnswerConclusion | undefined;
};
