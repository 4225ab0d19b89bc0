/** What ctrl+c and Escape stop: the words in the prompt, the user's own command, the run, and at last kedge. */

import type { Prompt } from "../../prompt/prompt-parts.ts";
import type { ClientState } from "../../state/client-state.ts";
import { flashTexts } from "../../texts/terminal.ts";
import type { SessionDesk } from "../session/session-desk.ts";

export type StoppingParts = {
  readonly prompt: Prompt;
  readonly state: () => ClientState;
  readonly now: () => number;
  /** Undefined until the engine is up. */
  readonly desk: () => SessionDesk | undefined;
  readonly setHint: (text: string) => void;
  readonly exit: (exitCode: number) => void;
};

export interface Stopping {
  isBusy(): boolean;
  interrupt(): void;
  clearInput(): void;
}

const exitAgainMs = 2_000;
const interrupted = 130;

export function createStopping({ prompt, state, now, desk, setHint, exit }: StoppingParts): Stopping {
  let leavingSince = Number.NEGATIVE_INFINITY;

  function isBusy(): boolean {
    return state().activity.kind !== "idle" || desk()?.isShellRunning() === true;
  }

  /** The user's own command first, if one runs: it is what they look at. */
  function interrupt(): void {
    const session = desk();
    if (session?.isShellRunning()) void session.abortShell();
    else void session?.interrupt();
  }

  return {
    isBusy,
    interrupt,
    clearInput() {
      const time = now();
      if (!prompt.isEmpty()) return prompt.clear();
      if (isBusy()) return interrupt();
      if (time - leavingSince < exitAgainMs) return exit(interrupted);
      leavingSince = time;
      setHint(flashTexts.pressAgainToExit);
      setTimeout(() => setHint(""), exitAgainMs).unref();
    },
  };
}
