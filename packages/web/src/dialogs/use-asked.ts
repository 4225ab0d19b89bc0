/** The answer to a question of the engine, once it is there; asked again after a lost connection. */
import { type Failure, FailureError } from "@kedge/protocol";
import { useEffect, useState } from "preact/hooks";
import { isLost, maybeBack } from "../app/late-code.ts";
import { usePage } from "../app/use-page.ts";
import * as texts from "../texts/dialogs.ts";

export type Asked<Value> = { readonly value?: Value; readonly problem?: string };

type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure };

export function useAsked<Value>(ask: () => Promise<Answer<Value>>): Asked<Value> {
  const page = usePage();
  const [asked, setAsked] = useState<Asked<Value>>({});
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const look = async () => {
      for (;;) {
        const answer = await answerOf(ask);
        if (signal.aborted) return;
        if (answer.ok) return setAsked({ value: answer.value });
        if (!isLost(answer.failure)) return setAsked({ problem: answer.failure.message });
        setAsked({ problem: texts.readAgain });
        await maybeBack(page, signal);
        if (signal.aborted) return;
      }
    };
    void look();
    return () => left.abort();
  }, []);
  return asked;
}

async function answerOf<Value>(ask: () => Promise<Answer<Value>>): Promise<Answer<Value>> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { ok: false, failure: error.failure };
  }
}
