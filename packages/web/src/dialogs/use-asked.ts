/** The answer to a question of the engine, once it is there. */
import { type Failure, FailureError } from "@kedge/protocol";
import { useEffect, useState } from "preact/hooks";

export type Asked<Value> = { readonly value?: Value; readonly problem?: string };

type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure };

export function useAsked<Value>(ask: () => Promise<Answer<Value>>): Asked<Value> {
  const [asked, setAsked] = useState<Asked<Value>>({});
  useEffect(() => {
    let isWanted = true;
    ask()
      .then((answer) => isWanted && setAsked(answer.ok ? { value: answer.value } : { problem: answer.failure.message }))
      .catch((error: unknown) => {
        if (!(error instanceof FailureError)) throw error;
        if (isWanted) setAsked({ problem: error.failure.message });
      });
    return () => {
      isWanted = false;
    };
  }, []);
  return asked;
}
