/** The sentences that tell a person why there is no answer yet. */
import { type SignalOf, stripTerminalControls } from "@kedge/protocol";
import { retryTexts } from "../texts/console.ts";

export function retryText({ attempt, attemptsMax, delayMs, failure }: SignalOf<"step.retrying">): string {
  const seconds = Math.max(1, Math.round(delayMs / 1000));
  return retryTexts.retrying(stripTerminalControls(failure.message), seconds, attempt + 1, attemptsMax);
}

export function stallText({ idleMs }: SignalOf<"step.stalling">): string {
  return retryTexts.noData(Math.round(idleMs / 1000));
}
