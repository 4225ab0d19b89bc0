/** What the cases of the provider matrix share: a mock, a provider for it, and comparable lists of events. */
import { AssertionError } from "node:assert";
import type { Failure, FailureCode, ModelEvent, ModelRequest, Provider } from "@kedge/protocol";
import { type MockModel, startMockModel } from "../mock-model/mock-model.ts";
import type { MockWire } from "../mock-model/mock-wire.ts";
import type { MockScript } from "../mock-model/script.ts";

export type MatrixCase = { readonly name: string; readonly run: () => Promise<void> };

export type MatrixProviderOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly idleTimeoutMs?: number;
};

/** What is put through the matrix: a provider, and the wire on which the mock answers it. */
export type MatrixSubject = {
  readonly wire: MockWire;
  readonly make: (options: MatrixProviderOptions) => Provider;
};

export const matrixApiKey = "sk-matrix-secret-0001";

export async function withMock(
  script: MockScript,
  subject: MatrixSubject,
  use: (mock: MockModel, provider: Provider) => Promise<void>,
): Promise<void> {
  const mock = await startMockModel({ script, wires: [subject.wire] });
  try {
    await use(mock, subject.make({ baseUrl: mock.baseUrl, apiKey: matrixApiKey }));
  } finally {
    await mock.close();
  }
}

export const matrixRequest: ModelRequest = {
  model: {
    ref: "mock/mock-model",
    provider: "mock",
    id: "mock-model",
    contextTokens: 200_000,
    outputTokensMax: 64_000,
  },
  source: "main",
  conversationId: "ses_1",
  system: "You are a test.",
  tools: [{ name: "read", description: "Reads a file.", inputSchema: { type: "object" } }],
  messages: [{ role: "user", text: "Begin." }],
  outputTokensMax: 1_000,
  requestId: "00000000-0000-4000-8000-000000000001",
};

export async function collect(
  provider: Provider,
  onEvent: (event: ModelEvent) => void = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(matrixRequest, signal)) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

/** Joins neighbouring deltas: how many there are depends on the network, what they say does not. */
export function merged(events: readonly ModelEvent[]): readonly ModelEvent[] {
  const result: ModelEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const joined = last === undefined ? undefined : join(last, event);
    if (joined === undefined) result.push(event);
    else result[result.length - 1] = joined;
  }
  return result;
}

function join(left: ModelEvent, right: ModelEvent): ModelEvent | undefined {
  if (left.type === "text-delta" && right.type === "text-delta") return { ...left, text: left.text + right.text };
  if (left.type === "reasoning-delta" && right.type === "reasoning-delta")
    return { ...left, text: left.text + right.text };
  if (left.type === "tool-input-delta" && right.type === "tool-input-delta" && left.callId === right.callId)
    return { ...left, text: left.text + right.text };
  return undefined;
}

/** The failure that ends the list; an assertion fails when another event ends it or the code is another. */
export function lastFailure(events: readonly ModelEvent[], code: FailureCode): Failure {
  const last = events.at(-1);
  if (last?.type !== "failed" || last.failure.code !== code)
    throw new AssertionError({ message: "The stream should end in this failure.", expected: code, actual: last });
  return last.failure;
}

export const usualUsage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
