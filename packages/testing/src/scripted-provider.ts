/** A provider that plays lists of events, for tests of whatever calls a model. */
import type { ModelEvent, ModelRequest, Provider } from "@kedge/protocol";

/** An event, or a promise that holds the stream until it resolves. */
type ScriptedStep = ModelEvent | Promise<unknown>;

export type ScriptedAnswer = readonly ScriptedStep[] | ((request: ModelRequest) => readonly ScriptedStep[]);

export type ScriptedProvider = Provider & {
  /** What was asked, as it was at that moment. */
  readonly requests: readonly ModelRequest[];
};

/** Answers the n-th request with the n-th list, and every further one with "Done.". */
export function createScriptedProvider(answers: readonly ScriptedAnswer[]): ScriptedProvider {
  const requests: ModelRequest[] = [];
  return {
    requests,
    stream(request, signal) {
      // Cloning fails for anything that is not plain data, and keeps later changes to the log out of the record.
      const received = structuredClone(request);
      const answer = answers[requests.push(received) - 1] ?? textAnswer("Done.");
      return play(typeof answer === "function" ? answer(received) : answer, signal);
    },
  };
}

/** The usual answer: a text and an orderly end. */
export function textAnswer(text: string): readonly ModelEvent[] {
  return [{ type: "text-delta", text }, endEvent("end")];
}

/** An answer that asks for tools. */
export function toolAnswer(
  ...calls: readonly { readonly callId: string; readonly tool: string; readonly input: object }[]
): readonly ModelEvent[] {
  return [
    ...calls.map(({ callId, tool, input }): ModelEvent => {
      const inputText = JSON.stringify(input);
      return { type: "tool-call", call: { type: "tool-call", callId, tool, inputText } };
    }),
    endEvent("tool-calls"),
  ];
}

function endEvent(stopReason: "end" | "tool-calls"): ModelEvent {
  const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
  return { type: "end", stopReason, usage };
}

const stopped: ModelEvent = {
  type: "failed",
  failure: { code: "aborted", message: "Stopped.", retryable: false },
};

async function* play(steps: readonly ScriptedStep[], signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const abort = Promise.withResolvers<void>();
  const onAbort = () => abort.resolve();
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (const step of steps) {
      if (step instanceof Promise) await Promise.race([step, abort.promise]);
      if (signal.aborted) return yield stopped;
      if (!(step instanceof Promise)) yield structuredClone(step);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
