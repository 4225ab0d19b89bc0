/** What a call is answered with when whoever made it no longer waits: the same words in process and over HTTP. */
import { type Failure, FailureError } from "@kedge/protocol";

export const givenUp: Failure = {
  code: "aborted",
  message: "The call was abandoned before it was answered.",
  retryable: true,
};

type Answered<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure };

/** For calls whose answer can be a failure. Nothing is begun for a signal that is aborted already. */
export async function answerUnlessAborted<Value>(
  signal: AbortSignal | undefined,
  begin: () => Promise<Answered<Value>>,
): Promise<Answered<Value>> {
  if (signal === undefined) return begin();
  const settled = await raceAbort(signal, begin);
  return settled.isGivenUp ? { ok: false, failure: givenUp } : settled.value;
}

/** For reads, which throw. */
export async function readUnlessAborted<Value>(
  signal: AbortSignal | undefined,
  begin: () => Promise<Value>,
): Promise<Value> {
  if (signal === undefined) return begin();
  const settled = await raceAbort(signal, begin);
  if (settled.isGivenUp) throw new FailureError(givenUp);
  return settled.value;
}

type Settled<Value> = { readonly isGivenUp: true } | { readonly isGivenUp: false; readonly value: Value };

async function raceAbort<Value>(signal: AbortSignal, begin: () => Promise<Value>): Promise<Settled<Value>> {
  if (signal.aborted) return { isGivenUp: true };
  const aborted = Promise.withResolvers<Settled<Value>>();
  const onAbort = () => aborted.resolve({ isGivenUp: true });
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([
      aborted.promise,
      begin().then((value): Settled<Value> => ({ isGivenUp: false, value })),
    ]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
