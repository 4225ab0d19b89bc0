/** The checkpoint of a session: opened and left by calls of the model, recorded as facts, discarded by the user. */
import type { Checkpoints, Failure } from "@kedge/protocol";
import type { Journal } from "../journal.ts";

export interface SessionCheckpoints {
  /** What a call may do with it. */
  of(call: { readonly callId: string; readonly stepId: string }): Checkpoints;
  /** True when a call of this step asked to go back. */
  isRewinding(): boolean;
  /** Goes back; call it when all ends of the step, and the files it changed, are on their way to the journal. */
  rewind(stepId: string): Promise<void>;
  discard(): Promise<{ readonly ok: true; readonly goal: string } | { readonly ok: false; readonly failure: Failure }>;
}

export function createCheckpoints(journal: Journal): SessionCheckpoints {
  /** Only in memory until the step ends: after a crash the checkpoint is still open, and the model reports again. */
  let report: string | undefined;
  return {
    of: (call) => ({
      current: () => journal.state.checkpoint,
      open: (goal) => journal.emit({ type: "checkpoint.opened", ...call, goal }),
      rewind: async (text) => {
        report = text;
      },
    }),
    isRewinding: () => report !== undefined,
    async rewind(stepId) {
      const given = report;
      report = undefined;
      const { checkpoint } = journal.state;
      // The user may have discarded it meanwhile.
      if (given === undefined || checkpoint === undefined) return;
      await journal.emit({ type: "conversation.rewound", stepId, report: given, files: checkpoint.files });
    },
    async discard() {
      const { checkpoint } = journal.state;
      if (checkpoint === undefined) {
        const message = "This session has no open checkpoint.";
        return { ok: false, failure: { code: "not_found", message, retryable: false } };
      }
      await journal.emit({ type: "checkpoint.discarded" });
      return { ok: true, goal: checkpoint.goal };
    },
  };
}
