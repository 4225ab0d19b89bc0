/** What a mock model must know to speak one vendor's wire. */
import type { MockRequestBody, MockTurn } from "./script.ts";

/** What identifies one answer: the same number gives the same bytes. */
export type AnswerName = { readonly model: string; readonly number: number };

export type MockWire = {
  /** Whether a POST to this path asks for an answer on this wire. */
  readonly matches: (path: string) => boolean;
  readonly isStreaming: (request: { readonly path: string; readonly body: MockRequestBody }) => boolean;
  readonly streamed: (turn: MockTurn, name: AnswerName) => string;
  /** The answer to a request that did not ask for a stream. */
  readonly whole: (turn: MockTurn, name: AnswerName, asked?: MockRequestBody) => string;
  /** A stream in which the vendor reports an error of its own. */
  readonly streamedError: (error: { readonly type: string; readonly message: string }) => string;
  /** A stream that is closed as it should be and says nothing. */
  readonly emptyStream: string;
  /** What a thought is signed with, as the reader of this wire reports it; absent where thoughts are not signed. */
  readonly reasoningSignature?: string;
  /** What happens on this wire and not on every other. */
  readonly peculiarities: ReadonlySet<Peculiarity>;
};

/**
 * Inputs of parallel calls piece by piece in turn; calls without an id; streams without a closing mark; inputs as text
 * that the model wrote, which may be cut off and need not be the shortest form of its JSON.
 */
export type Peculiarity = "interleaved-calls" | "calls-without-id" | "no-closing-mark" | "inputs-as-text";
