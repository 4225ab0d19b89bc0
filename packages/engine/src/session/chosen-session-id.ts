/** Whether a session may have the id that a client chose for it. */
import type { Failure, Store } from "@kedge/protocol";

const chosenSessionId = /^ses_[a-z0-9]{10,40}$/;

/** Undefined for one that is well formed and was never used. */
export async function refuseChosenId(store: Pick<Store, "rows">, sessionId: string): Promise<Failure | undefined> {
  if (!chosenSessionId.test(sessionId)) return badSessionId;
  // Also the bare chain of a deleted one: what comes after it would be read as its continuation.
  for await (const _ of store.rows(sessionId)) return usedSessionId(sessionId);
  return undefined;
}

const badSessionId: Failure = {
  code: "invalid_command",
  message: "A session id is ses_ followed by 10 to 40 lowercase letters and digits.",
  recovery: "Choose another id, or omit it.",
  retryable: false,
};

function usedSessionId(sessionId: string): Failure {
  return {
    code: "invalid_command",
    message: `Session ${sessionId} already exists.`,
    recovery: "Resume it, or choose another id.",
    retryable: false,
  };
}
