/** Sends one prompt, or goes on with an interrupted run, and waits for its end. */
import {
  compactionText,
  type FactRecord,
  type Media,
  type RunOptions,
  type RunResult,
  type SignalOf,
} from "@kedge/protocol";
import { failedResult } from "./headless-report.ts";
import type { ConnectedKedge } from "./start-kedge.ts";

export type PromptRun = {
  readonly sessionId: string;
  /** Empty to go on with the run that was interrupted. */
  readonly prompt: string;
  readonly attachments: readonly Media[];
  readonly options: RunOptions;
  readonly onFact: (record: FactRecord) => void;
  readonly onNotice: (text: string) => void;
  readonly onRetry: (retry: SignalOf<"step.retrying">) => void;
};

export async function runPrompt(kedge: ConnectedKedge, run: PromptRun): Promise<RunResult> {
  const { sessionId, prompt, attachments, options } = run;
  /** The end of a run may be known before the command that started it is answered. */
  const ends = new Map<string, RunResult>();
  let notify = () => {};
  const end = (runId: string, result: RunResult) => {
    ends.set(runId, result);
    notify();
  };
  // Live events without the client's buffer: a long answer has tens of thousands of deltas, and none is used here.
  const unsubscribe = kedge.engine.subscribe(sessionId, (event) => {
    if (event.kind === "fact") {
      const { fact } = event.record;
      run.onFact(event.record);
      if (fact.type === "run.ended") end(fact.runId, fact);
      else if (fact.type === "context.compacted") run.onNotice(compactionText(fact));
    } else if (event.signal.type === "notice") run.onNotice(event.signal.text);
    else if (event.signal.type === "step.retrying") run.onRetry(event.signal);
    else if (event.signal.type === "run.unrecorded") end(event.signal.runId, failedResult(event.signal.failure));
  });
  try {
    const submitted =
      prompt === ""
        ? await kedge.client.send<"run.continue">({ type: "run.continue", sessionId, options })
        : await kedge.client.send<"prompt.submit">({
            type: "prompt.submit",
            sessionId,
            text: prompt,
            ...(attachments.length > 0 && { attachments }),
            delivery: "follow-up",
            options,
          });
    if (!submitted.ok) return failedResult(submitted.failure);
    for (;;) {
      const result = ends.get(submitted.value.runId);
      if (result !== undefined) return result;
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
  } finally {
    unsubscribe();
  }
}
