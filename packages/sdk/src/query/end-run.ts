/** Ends a run that nobody waits for any more, and nothing else that its session is about. */
import { type Client, FailureError } from "@kedge/protocol";
import type { RunIds } from "./run-messages.ts";

/** A run that does not end in this time is left to itself: it may be stuck, or its server gone. */
export const endMsMax = 5_000;

/** With `afterSeq`, waits until its end is stored. Failures are outcomes here: the run may be over, or its server gone. */
export async function endRun(
  client: Client,
  { sessionId, runId, promptId }: RunIds & { readonly sessionId: string },
  afterSeq?: number,
): Promise<void> {
  const signal = AbortSignal.timeout(endMsMax);
  // One that waits behind another run is taken back; the interruption would meet the other one.
  const withdrawn = await client.send<"prompt.withdraw">({ type: "prompt.withdraw", sessionId, promptId }, { signal });
  if (withdrawn.ok) return;
  const interrupted = await client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId }, { signal });
  if (!interrupted.ok || afterSeq === undefined) return;
  await untilEnded(client, { sessionId, runId, afterSeq, signal });
}

type Waiting = {
  readonly sessionId: string;
  readonly runId: string;
  readonly afterSeq: number;
  readonly signal: AbortSignal;
};

async function untilEnded(client: Client, { sessionId, runId, afterSeq, signal }: Waiting): Promise<void> {
  try {
    for await (const event of client.events(sessionId, afterSeq, signal)) {
      if (event.kind !== "fact") continue;
      const { fact } = event.record;
      if (fact.type === "run.ended" && fact.runId === runId) return;
    }
  } catch (error) {
    // Whoever ends the run has a reason of his own, which counts for more than this one.
    if (!(error instanceof FailureError)) throw error;
  }
}
