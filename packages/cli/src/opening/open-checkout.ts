/** Opens the checkout that graders and proofs work on, with an end by Ctrl+C, or says why it cannot be. */
import { openCheckout, openWorktrees } from "@kedge/host/worktrees";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { failureText } from "../failure-text.ts";
import { writeDiagnostic } from "../output.ts";
import { openSettings } from "./open-settings.ts";
import { readSurroundings } from "./surroundings.ts";

export type OpenedCheckout = NonNullable<Awaited<ReturnType<typeof openCheckoutOrTell>>>;

/** Undefined after the reason was written. `main` is the main checkout, also when kedge runs in a worktree of it. */
export async function openCheckoutOrTell(flags: Flags, which: "this" | "main" = "this") {
  const surroundings = readSurroundings();
  const settings = await openSettings(flags, surroundings);
  const open = which === "main" ? openWorktrees : openCheckout;
  const opened = settings.ok ? open({ ...settings, ...surroundings, now: Date.now }) : settings;
  if (!settings.ok || !opened.ok) {
    if (!opened.ok) writeDiagnostic(failureText(opened.failure));
    return undefined;
  }
  const ending = new AbortController();
  const signals = onEndSignal(() => ending.abort());
  const site = {
    ...settings,
    ...surroundings,
    worktrees: opened.value,
    monotonicMs: () => performance.now(),
    now: Date.now,
  };
  return { site, signal: ending.signal, [Symbol.dispose]: () => signals[Symbol.dispose]() };
}
