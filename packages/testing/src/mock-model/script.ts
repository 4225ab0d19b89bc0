/** What a mock model is told to say, turn by turn, and what may go wrong while it says it. */
import type { IncomingHttpHeaders } from "node:http";

export type MockToolCall = {
  readonly name: string;
  readonly input?: object;
  /** Instead of `input`: sent as it is, even when it is no JSON. */
  readonly inputText?: string;
  /** A generated id unless given; an empty one is not sent at all. */
  readonly id?: string;
};

/** As the wire counts: `cached` is part of `input`, `reasoning` part of `output`. */
export type MockUsage = {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
};

type MockFaults = {
  /** Before the head of the answer. */
  readonly delayMs?: number;
  /** The head of the answer waits for this. */
  readonly holdUntil?: Promise<unknown>;
  /** The end of the answer waits for this, after all its bytes. */
  readonly holdEndUntil?: Promise<unknown>;
  /** Each write carries so many bytes, and arrives as a chunk of its own. */
  readonly splitEveryBytes?: number;
  /** Destroys the connection after so many bytes of the body; with 0, before the head. */
  readonly dropAfterBytes?: number;
  /** Sends so many bytes of the body and then nothing, until somebody closes the connection. */
  readonly stallAfterBytes?: number;
  /** An answer other than 200; `body` and `headers` go with it. */
  readonly status?: number;
  readonly body?: string;
  readonly headers?: { readonly [name: string]: string };
  /** One event that is no JSON, after the first. */
  readonly malformedFrame?: true;
  readonly contentType?: string;
  readonly omitDone?: true;
  readonly omitFinishReason?: true;
};

export type MockTurn = MockFaults & {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly MockToolCall[];
  /** What Google's models sign an answer with: on its first call, or else on an empty text at its end. */
  readonly thoughtSignature?: string;
  readonly usage?: MockUsage;
  /** The size of one delta of text, reasoning or tool input. */
  readonly deltaCharacters?: number;
  readonly finishReason?: string;
  /** Sends the inputs of parallel calls piece by piece in turn instead of one after the other. */
  readonly interleave?: true;
};

/** The members of a Chat Completions request that scripts look at. */
export type MockRequestBody = {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly MockRequestMessage[];
  /** On the Responses wire. */
  readonly input?: readonly { readonly role?: string; readonly type?: string; readonly [name: string]: unknown }[];
  readonly tools?: readonly unknown[];
  readonly max_tokens?: number;
};

type MockRequestMessage = {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly unknown[];
  readonly tool_call_id?: string;
};

export type MockRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: MockRequestBody;
  /** On the monotonic clock of the process. */
  readonly receivedAtMs: number;
};

/** A function sees the request and how many were answered before it. */
export type MockScript = readonly MockTurn[] | ((request: MockRequest, turnIndex: number) => MockTurn);

export function turnOf(script: MockScript, request: MockRequest, turnIndex: number): MockTurn {
  if (typeof script === "function") return script(request, turnIndex);
  return script[turnIndex] ?? { text: "Done." };
}
