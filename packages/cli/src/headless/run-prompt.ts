/** Sends one prompt, or resumes an interrupted run, and waits for its end; passes on what is said meanwhile. */
import {
  type Client,
  compactionText,
  type Event,
  type FactRecord,
  isDelta,
  type Media,
  type RunOptions,
  type RunResult,
  type Signal,
  type SignalOf,
  toolCalls,
} from "@kedge/protocol";
import { failedResult } from "./headless-report.ts";
import type { MessageInbox } from "./message-inbox.ts";
import type { GivenMessage } from "./user-messages.ts";

export type PromptRun = {
  readonly sessionId: string;
  /** Empty to resume the run that was interrupted. */
  readonly prompt: string;
  readonly attachments: readonly Media[];
  readonly options: RunOptions;
  readonly onFact: (record: FactRecord) => void;
  readonly onNotice: (text: string) => void;
  readonly onRetry: (retry: SignalOf<"step.retrying">) => void;
  /** Pieces of answers as they stream; without it there are none. */
  readonly onDelta?: ((delta: Signal) => void) | undefined;
  /** Where messages for the run arrive while it is under way, if they may. */
  readonly inbox?: MessageInbox | undefined;
  /** A run ended, or a message was refused, and a message that arrived meanwhile is still to be answered. */
  readonly onEarlierEnd?: (result: RunResult) => void;
};

export async function runPrompt(client: Client, run: PromptRun): Promise<RunResult> {
  const stop = new AbortController();
  // A long answer has tens of thousands of deltas.
  const options = run.onDelta === undefined ? ({ deltas: false } as const) : {};
  const events = client.events(run.sessionId, "newest", stop.signal, options)[Symbol.asyncIterator]();
  // Asked for before the prompt is sent, so that nothing of its run is missed. Awaited below, with whatever it throws.
  let next = events.next();
  next.catch(() => undefined);
  try {
    const submitted = await submit(client, run);
    if (!submitted.ok) return failedResult(submitted.failure);
    let { runId } = submitted.value;
    const delivering = deliverCalls(client, run);
    for (;;) {
      const { value: event, done } = await next;
      if (done === true) throw new Error("the events ended before the run did");
      const ended = tell(event, run);
      delivering?.see(event);
      if (ended?.runId === runId) {
        const later = await delivering?.runAfter(runId);
        if (later === undefined) return ended.result;
        run.onEarlierEnd?.(ended.result);
        runId = later;
      }
      next = events.next();
    }
  } finally {
    run.inbox?.deliverTo();
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

/**
 * Messages go to the run while its calls are under way: it then surely asks the model again. One that arrives during the
 * last answer is a prompt of its own, with a result of its own.
 */
function deliverCalls(client: Client, run: PromptRun) {
  const { inbox } = run;
  if (inbox === undefined) return undefined;
  const sent: Promise<string | undefined>[] = [];
  const steer = async ({ text, attachments }: GivenMessage): Promise<string | undefined> => {
    const answer = await client.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId: run.sessionId,
      text,
      ...(attachments.length > 0 && { attachments }),
      delivery: "steer",
      options: run.options,
    });
    if (!answer.ok) run.onEarlierEnd?.(failedResult(answer.failure));
    return answer.ok ? answer.value.runId : undefined;
  };
  return {
    see(event: Event): void {
      if (event.kind !== "fact") return;
      const { fact } = event.record;
      if (fact.type === "step.ended" && toolCalls(fact.content).length > 0) {
        inbox.deliverTo((message) => void sent.push(steer(message)));
      } else if (fact.type === "step.started" || fact.type === "run.ended") inbox.deliverTo();
    },
    /** The run that a message began because the one it was meant for had just ended. */
    async runAfter(runId: string): Promise<string | undefined> {
      const runs = await Promise.all(sent.splice(0));
      return runs.find((each) => each !== undefined && each !== runId);
    },
  };
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
  else if (isDelta(signal)) run.onDelta?.(signal);
  else if (signal.type === "step.retrying") run.onRetry(signal);
  else if (signal.type === "run.unrecorded") return { runId: signal.runId, result: failedResult(signal.failure) };
  return undefined;
}
