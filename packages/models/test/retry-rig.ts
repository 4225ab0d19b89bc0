/** What tests of retries share: a mock model over real HTTP, a wait that only records, and events as short lines. */
import type { Failure, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import { type MockModel, type MockScript, startMockModel } from "@kedge/testing";
import { createChatAnswer } from "../src/chat/chat-answer.ts";
import { chatConversation } from "../src/chat/chat-conversation.ts";
import { chatEncoding } from "../src/chat/chat-request.ts";
import { createRetryingProvider, type RetryOptions } from "../src/retry/retrying-provider.ts";
import type { WireRequest } from "../src/wire/request-body.ts";
import { createWireProvider, type Wire, type WireProviderOptions } from "../src/wire/wire-provider.ts";

export const chatWire: Wire = {
  path: () => "/chat/completions",
  authentication: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  encoding: chatEncoding,
  conversation: chatConversation,
  createAnswer: createChatAnswer,
};

export const request: ModelRequest = {
  model: { ref: "mock/a", provider: "mock", id: "a", contextTokens: 200_000, outputTokensMax: 64_000 },
  source: "main",
  conversationId: "ses_1",
  system: "You are a test.",
  tools: [],
  messages: [{ role: "user", text: "Begin." }],
  outputTokensMax: 32_000,
  requestId: "req-1",
};

export const startMs = 1_700_000_000_000;

export type RigOptions = Partial<
  Pick<RetryOptions, "unattended" | "random" | "refreshCredentials" | "wait" | "waits" | "clock">
> & {
  readonly script: MockScript;
  readonly wire?: Partial<WireProviderOptions>;
  /** Adds to the n-th failure, counted from 1, what the vendor's error would have said. */
  readonly amend?: (failure: Failure, n: number) => Failure;
  readonly onWait?: () => void;
};

export type Rig = {
  readonly mock: MockModel;
  readonly provider: Provider;
  /** Every delay that was slept, in order. */
  readonly waits: readonly number[];
  /** What each attempt asked. */
  readonly asked: readonly WireRequest[];
};

/** Waiting takes no time and moves the clock by as much as was to be waited. */
export async function startRig({ script, wire, amend, onWait, ...options }: RigOptions): Promise<Rig> {
  const mock = await startMockModel({ script });
  const inner = createWireProvider(chatWire, { baseUrl: mock.baseUrl, ...wire });
  const waits: number[] = [];
  const asked: WireRequest[] = [];
  let nowMs = startMs;
  let failures = 0;

  async function* amended(attempt: WireRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    asked.push(attempt);
    for await (const event of inner.stream(attempt, signal)) {
      if (event.type === "failed" && amend !== undefined)
        yield { type: "failed", failure: amend(event.failure, ++failures) };
      else yield event;
    }
  }

  const provider = createRetryingProvider({
    provider: { stream: amended, useFreshConnections: inner.useFreshConnections },
    clock: { now: () => nowMs },
    random: () => 0,
    unattended: false,
    async wait(delayMs) {
      waits.push(delayMs);
      nowMs += delayMs;
      onWait?.();
    },
    ...options,
  });
  return { mock, provider, waits, asked };
}

export async function collect(
  { provider }: Pick<Rig, "provider">,
  { signal = new AbortController().signal, ...changes }: Partial<ModelRequest> & { readonly signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const event of provider.stream({ ...request, ...changes }, signal)) lines.push(lineOf(event));
  return lines;
}

export function lineOf(event: ModelEvent): string {
  switch (event.type) {
    case "text-delta":
      return event.text;
    case "retrying":
      return `retrying ${event.attempt}/${event.attemptsMax ?? "∞"} in ${event.delayMs}: ${event.failure.code}`;
    case "stalled":
      return `stalled ${event.idleMs}`;
    case "notice":
      return `notice: ${event.text}`;
    case "failed":
      return `failed: ${event.failure.code}${event.failure.retryable ? ", retryable" : ""}`;
    default:
      return event.type;
  }
}

/** A turn that answers with this status. */
export function status(code: number, error: object = {}) {
  return { status: code, body: JSON.stringify({ error: { message: "It failed.", ...error } }) };
}
