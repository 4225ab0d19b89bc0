/** What retries need of a provider: one attempt at a time, and the means to make the next one differ. */
import type { ModelEvent, Provider } from "@kedge/protocol";
import type { WireRequest } from "../wire/request-body.ts";

/** Makes one attempt per call and keeps all other promises of a `Provider`. */
export type RetryableProvider = {
  readonly stream: (request: WireRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
  readonly compact?: NonNullable<Provider["compact"]>;
  /** From now on no connection carries more than one request. */
  readonly useFreshConnections: () => void;
};
