/** Watches over one call of a provider package: its limits, the user's wish to stop, and silence worth telling. */
import type { ModelEvent } from "@kedge/protocol";
import type { ExchangeStop } from "../http/http-exchange.ts";
import type { SdkCall } from "./sdk-fetch.ts";

export type CallLimits = {
  readonly overallTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly idleWarningMs?: number;
};

export type CallWatch = {
  readonly call: SdkCall;
  /**
   * Waits for something the package does, and yields what is to be told meanwhile. Undefined when the call was stopped
   * before: a package does not always look at its signal, for instance while it asks for credentials.
   */
  readonly wait: <Value>(value: PromiseLike<Value>) => AsyncGenerator<ModelEvent, Value | undefined>;
  readonly stop: () => ExchangeStop | undefined;
  readonly release: () => void;
};

const overallTimeoutMsDefault = 10 * 60 * 1000;
const idleTimeoutMsDefault = 90 * 1000;

/** An answer in one piece is silent until it is complete, so this is all that watches over it. */
const wholeTimeoutMs = 5 * 60 * 1000;

type Waited<Value> = { readonly kind: "came"; readonly value: Value } | { readonly kind: "woken" };

export function watchCall(
  limits: CallLimits,
  signal: AbortSignal,
  { wantsWhole }: { readonly wantsWhole: boolean },
): CallWatch {
  const controller = new AbortController();
  const givenMs = limits.overallTimeoutMs ?? overallTimeoutMsDefault;
  const overallTimeoutMs = wantsWhole ? Math.min(givenMs, wholeTimeoutMs) : givenMs;
  const idleTimeoutMs = wantsWhole ? overallTimeoutMs : (limits.idleTimeoutMs ?? idleTimeoutMsDefault);
  const idleWarningMs = wantsWhole ? idleTimeoutMs : (limits.idleWarningMs ?? idleTimeoutMs / 2);
  let stop: ExchangeStop | undefined;
  let silentMs: number | undefined;
  let wake = () => {};
  const stopFor = (reason: ExchangeStop) => {
    stop ??= reason;
    wake();
    controller.abort();
  };
  const abort = () => stopFor({ kind: "aborted" });
  const timer = setTimeout(
    () => stopFor({ kind: "timed-out", limit: "overall", limitMs: overallTimeoutMs }),
    overallTimeoutMs,
  );
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });

  function takeSilence(): number | undefined {
    const taken = silentMs;
    silentMs = undefined;
    return taken;
  }

  async function* wait<Value>(value: PromiseLike<Value>): AsyncGenerator<ModelEvent, Value | undefined> {
    while (stop === undefined) {
      const waited = await new Promise<Waited<Value>>((resolve, reject) => {
        wake = () => resolve({ kind: "woken" });
        value.then((came) => resolve({ kind: "came", value: came }), reject);
      });
      if (waited.kind === "came") return waited.value;
      const idleMs = takeSilence();
      if (idleMs !== undefined && stop === undefined) yield { type: "stalled", idleMs };
    }
    // Whatever it says later, nobody waits for it.
    value.then(
      () => {},
      () => {},
    );
    return undefined;
  }

  return {
    call: {
      signal: controller.signal,
      wantsWhole,
      overallTimeoutMs,
      idleTimeoutMs,
      idleWarningMs,
      onSilence: (idleMs) => {
        silentMs = idleMs;
        wake();
      },
    },
    wait,
    stop: () => stop,
    release() {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      controller.abort();
    },
  };
}
