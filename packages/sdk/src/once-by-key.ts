/** Carries out a command once for each idempotency key, as a server does, and answers repetitions the same. */
import type { Failure } from "@kedge/protocol";

type Answered = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };

type Kept = { readonly commandText: string; readonly answer: Promise<Answered> };

/** The oldest are forgotten. */
const keysMax = 1000;

export function createOnceByKey() {
  const kept = new Map<string, Kept>();

  return async function once<Answer extends Answered>(
    key: string,
    command: object,
    carryOut: () => Promise<Answer>,
  ): Promise<Answer | { readonly ok: false; readonly failure: Failure }> {
    const commandText = JSON.stringify(command);
    const known = kept.get(key);
    if (known !== undefined && known.commandText !== commandText) return { ok: false, failure: otherCommand };
    // The same command has the same kind of answer.
    if (known !== undefined) return known.answer as Promise<Answer>;
    const answer = carryOut();
    kept.set(key, { commandText, answer });
    const [oldest] = kept.keys();
    if (kept.size > keysMax && oldest !== undefined) kept.delete(oldest);
    let isDone = false;
    try {
      const given = await answer;
      isDone = given.ok;
      return given;
    } finally {
      // Nothing was carried out, so it may be tried again.
      if (!isDone && kept.get(key)?.answer === answer) kept.delete(key);
    }
  };
}

const otherCommand: Failure = {
  code: "invalid_command",
  message: "The idempotency key was used for another command.",
  recovery: "Send a new key.",
  retryable: false,
};
