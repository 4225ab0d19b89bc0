/** What a view asked the server for: the answer, why there is none, and asking again when something happened. */
import type { Answer, Client } from "@kedge/protocol";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import * as texts from "../texts/views/panel.ts";

export type Asked<Value> = {
  /** The last answer; kept while it is asked for again. */
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly again: () => void;
};

const lookAgainMs = 2_000;
const lostText = texts.readAgain;

/** Asks once for each key, and again on demand and after a lost connection. An answer that was overtaken by a later question is dropped. */
export function useAsked<Value>(key: string, ask: () => Promise<Answer<Value>>): Asked<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; problem?: string }>({ key });
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const settle = (next: { value?: Value; problem?: string }) => {
      if (!signal.aborted) setState((before) => ({ ...(before.key === key ? before : {}), key, ...next }));
    };
    asking.current().then(
      (answer) => {
        if (answer.ok) {
          if (!signal.aborted) setState({ key, value: answer.value });
          return;
        }
        if (answer.failure.code !== "connection_error") return settle({ problem: sentenceOf(answer.failure) });
        settle({ problem: lostText });
        const timer = setTimeout(again, lookAgainMs);
        signal.addEventListener("abort", () => clearTimeout(timer));
      },
      () => settle({ problem: texts.noAnswer }),
    );
    return () => left.abort();
  }, [key, round]);
  const isCurrent = state.key === key;
  return { value: isCurrent ? state.value : undefined, problem: isCurrent ? state.problem : undefined, again };
}

export function sentenceOf({ message, recovery }: { readonly message: string; readonly recovery?: string }): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}

const restMs = 500;

/** Calls when something happens in the place of work, at most twice a second. */
export function useHappenings(client: Client, onHappening: () => void, sessionId?: string): void {
  const call = useRef(onHappening);
  call.current = onHappening;
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async () => {
      const frames = client.follow({ signal: ended.signal, ...(sessionId !== undefined && { sessionId }) });
      for await (const _ of frames) {
        timer ??= setTimeout(() => {
          timer = undefined;
          call.current();
        }, restMs);
      }
    };
    // The connection line of the app tells when the stream is lost; a view then shows what it last knew.
    follow().catch(() => undefined);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [client, sessionId]);
}
