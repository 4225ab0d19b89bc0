/** One pause for all requests to a model: what the vendor told one of them to wait for, the others wait for as well. */
import type { Failure } from "@kedge/protocol";
import type { ProviderHistory } from "./retry-decision.ts";

type Limits = ProviderHistory["limits"];

/** A longer limit is found out by each request itself: it may be one of tokens, which a smaller request still has. */
const sharedMsMax = 60_000;
/** Those that waited for the same moment do not all ask in it. */
const spreadShare = 0.25;
const spreadMsMax = 2_000;

/** Counts only what the vendor said; a delay of our own says nothing about other requests. */
export function noteLimit(
  limits: Limits,
  model: string,
  { failure, untilMs }: { readonly failure: Failure; readonly untilMs: number },
): void {
  const { code, retryAfterMs = 0, resetAtMs } = failure;
  if (code !== "rate_limit" || (retryAfterMs <= 0 && resetAtMs === undefined)) return;
  if (untilMs > (limits.get(model) ?? 0)) limits.set(model, untilMs);
}

/** How long a request to that model is held back now; 0 for not at all. */
export function limitedMs(
  limits: Limits,
  model: string,
  { clock, random }: { readonly clock: { readonly now: () => number }; readonly random: () => number },
): number {
  const untilMs = limits.get(model);
  if (untilMs === undefined) return 0;
  const leftMs = Math.min(untilMs - clock.now(), sharedMsMax);
  if (leftMs > 0) return leftMs + Math.round(random() * Math.min(leftMs * spreadShare, spreadMsMax));
  limits.delete(model);
  return 0;
}
