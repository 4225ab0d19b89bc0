/** What commands do before they begin: repair the journal after a failed write, and stop a run that is in the way. */
import type { Refused } from "@kedge/protocol";
import type { Journal } from "../../journal.ts";
import { closingFacts } from "../closing-facts.ts";
import type { Session } from "../session.ts";

export function busyAnswer(): Refused {
  const message = "This session has a run in progress.";
  return { ok: false, failure: { code: "session_busy", message, recovery: "Interrupt it first.", retryable: true } };
}

/** After a failed write: what was open is closed first, as after a crash. */
export async function repair(journal: Journal): Promise<void> {
  if (journal.broken() === undefined) return;
  journal.repair();
  await journal.emit(...closingFacts(journal.state));
}

/** Stops the run under way for something that cannot be done beside it; a refusal when that is impossible. */
export async function makeRoom({ work, journal }: Session): Promise<Refused | undefined> {
  if (work.isOther()) return busyAnswer();
  work.stop();
  await work.settled();
  await repair(journal);
  return work.runId() === undefined ? undefined : busyAnswer();
}
