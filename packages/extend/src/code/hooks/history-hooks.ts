/** Hooks of code that are asked before a conversation is summarised, and before it continues somewhere else. */
import type { CompactionAnswer, MoveAnswer, MovingLeaf, StartingCompaction } from "@kedge/protocol";
import { canceled, joinWishes, readCompacting } from "./read-compacting.ts";
import type { UnitHooks } from "./unit-hooks.ts";

export const compactingHooks = ["session.compacting", "experimental.session.compacting"] as const;

export type HistoryHooks = {
  readonly compacting: (compaction: StartingCompaction, signal: AbortSignal) => Promise<CompactionAnswer | undefined>;
  readonly leafMoving: (move: MovingLeaf, signal: AbortSignal) => Promise<MoveAnswer | undefined>;
};

/** Here a no is said with `cancel`; what is thrown leaves everything as it was. */
export function createHistoryHooks(hooks: UnitHooks, onNotice: (sentence: string) => void): HistoryHooks {
  function tellOfFailure(hook: string, problem: string): void {
    onNotice(`The hook ${hook} of ${hooks.unit.name} failed: ${problem}.`);
  }

  return {
    async compacting({ sessionId, trigger, strategy, instructions }, signal) {
      const asked = instructions === undefined ? {} : { instructions };
      const input = { sessionID: sessionId, reason: trigger, strategy, ...asked };
      const answers: CompactionAnswer[] = [];
      for (const hook of compactingHooks) {
        const end = await hooks.run({ hook, sessionId, input, output: { context: [] }, signal });
        if (end.kind === "threw") tellOfFailure(hook, end.problem);
        if (end.kind === "done") answers.push(readCompacting(end.output));
      }
      return (
        answers.findLast(({ decision }) => decision !== "pass") ?? answers.reduce(joinWishes, { decision: "pass" })
      );
    },
    async leafMoving({ sessionId, fromLeafId, toLeafId, wantsSummary }, signal) {
      const places = {
        ...(fromLeafId !== undefined && { fromLeafID: fromLeafId }),
        ...(toLeafId && { leafID: toLeafId }),
      };
      const input = { sessionID: sessionId, ...places, wantsSummary };
      const end = await hooks.run({ hook: "session.tree.before", sessionId, input, output: {}, signal });
      if (end.kind === "threw") tellOfFailure("session.tree.before", end.problem);
      if (end.kind !== "done") return undefined;
      const refusal = canceled(end.output);
      if (refusal !== undefined) return refusal;
      const { summary } = end.output;
      return typeof summary === "string" ? { decision: "summary", summary } : undefined;
    },
  };
}
