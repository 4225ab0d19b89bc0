/** Compares the journal of a project with the chains of deleted sessions that it names. */
import type { FactRecord } from "@kedge/protocol";
import type { HashAt } from "./signed-head.ts";
import type { DerivedCheck } from "./verify-chain.ts";

/** `hashesOf` looks at the chain of another session. */
export function createClosedCheck(hashesOf: (sessionId: string) => HashAt): DerivedCheck {
  let first: string | undefined;
  return {
    follow({ fact }: FactRecord) {
      if (first !== undefined || fact.type !== "chain.closed") return;
      const hash = hashesOf(fact.sessionId)(fact.lastSeq);
      if (hash === undefined) first = `the last record of the deleted session ${fact.sessionId} is gone`;
      else if (hash !== fact.hash) first = `the deleted session ${fact.sessionId} does not end as it is recorded here`;
    },
    problem: () => first,
  };
}
