/** Compares the journal of a project with the chains of deleted sessions that it names. */
import type { FactOf, FactRecord } from "@kedge/protocol";
import type { HashAt } from "./signed-head.ts";
import type { DerivedCheck } from "./verify-chain.ts";

export type ClosedCheck = DerivedCheck & {
  /** What the journal says, in its order. */
  readonly ends: readonly FactOf<"chain.closed">[];
};

/** `hashesOf` looks at the chain of another session; it is asked when all records of the journal were seen. */
export function createClosedCheck(hashesOf: (sessionId: string) => HashAt): ClosedCheck {
  const ends: FactOf<"chain.closed">[] = [];
  return {
    ends,
    follow({ fact }: FactRecord) {
      if (fact.type === "chain.closed") ends.push(fact);
    },
    problem() {
      for (const { sessionId, lastSeq, hash } of ends) {
        const found = hashesOf(sessionId)(lastSeq);
        if (found === undefined) return `the last record of the deleted session ${sessionId} is gone`;
        if (found !== hash) return `the end of the deleted session ${sessionId} does not match the record`;
      }
      return undefined;
    },
  };
}
