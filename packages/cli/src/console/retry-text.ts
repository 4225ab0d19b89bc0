/** The sentences that tell a person why there is no answer yet. */
import { type SignalOf, stripTerminalControls } from "@kedge/protocol";

export function retryText({ attempt, attemptsMax, delayMs, failure }: SignalOf<"step.retrying">): string {
  const of = attemptsMax === undefined ? "" : ` of ${attemptsMax}`;
  const seconds = Math.max(1, Math.round(delayMs / 1000));
  return `${stripTerminalControls(failure.message)} Retrying in ${seconds} s (attempt ${attempt + 1}${of}).`;
}

export function stallText({ idleMs }: SignalOf<"step.stalling">): string {
  return `no data for ${Math.round(idleMs / 1000)} s; still waiting (Ctrl+C to interrupt)`;
}
