/** Sends one prompt, or resumes an interrupted run, and waits for its end. */
import {
  type Client,
  compactionText,
  type Event,
  type FactRecord,
  type Media,
  type RunOptions,
  type RunResult,
  type SignalOf,
} from "@kedge/protocol";
import { failedResult } from "./headless-report.ts";

export type PromptRun = {
  readonly sessionId: string;
  /** Empty to resume the run that was interrupted. */
  readonly prompt: string;
  readonly attachments: readonly Media[];
  readonly options: RunOptions;
  readonly onFact: (record: FactRecord) => void;
  readonly onNotice: (text: string) => void;
  readonly onRetry: (retry: SignalOf<"step.retrying">) => void;
};

export async function runPrompt(client: Client, run: PromptRun): Promise<RunResult> {
  const stop = new AbortController();
  // A long answer has tens of thousands of deltas, and none is used here.
  const events = client.events(run.sessionId, "newest", stop.signal, { deltas: false })[Symbol.asyncIterator]();
  // Asked for before the prompt is sent, so that nothing of its run is missed. Awaited below, with whatever it throws.
  let next = events.next();
  next.catch(() => undefined);
  try {
    const submitted = await submit(client, run);
    if (!submitted.ok) return failedResult(submitted.failure);
    for (;;) {
      const { value: event, done } = await next;
      if (done === true) throw new Error("the events ended before the run did");
      const ended = tell(event, run);
      if (ended?.runId === submitted.value.runId) return ended.result;
      next = events.next();
    }
  } finally {
    stop.abort();
  }
}

function submit(client: Client, { sessionId, prompt, attachments, options }: PromptRun) {
  if (prompt === "") return client.send<"run.continue">({ type: "run.continue", sessionId, options });
  return client.send<"prompt.submit">({
    type: "prompt.submit",
    sessionId,
    text: prompt,
    ...(attachments.length > 0 && { attachments }),
    delivery: "follow-up",
    options,
  });
}

/** The run that ended with this event, if one did. */
function tell(event: Event, run: PromptRun): { readonly runId: string; readonly result: RunResult } | undefined {
  if (event.kind === "fact") {
    const { fact } = event.record;
    run.onFact(event.record);
    if (fact.type === "run.ended") return { runId: fact.runId, result: fact };
    if (fact.type === "context.compacted") run.onNotice(compactionText(fact));
    return undefined;
  }
  const { signal } = event;
  if (signal.type === "notice") run.onNotice(signal.text);
  else if (signal.type === "step.retrying") run.onRetry(signal);
  else if (signal.type === "run.unrecorded") return { runId: signal.runId, result: failedResult(signal.failure) };
  return undefined;
}
