/** What an input means before it is for anybody: keys pressed before the screen was there, and the wish to leave. */
import { notACommand } from "../../prompt/input-text.ts";
import type { Prompt } from "../../prompt/prompt-parts.ts";
import { type Input, keyName } from "../../screen/input.ts";

export type IntakeParts = {
  readonly prompt: Prompt;
  readonly now: () => number;
  /** However things stand, a user who wants to leave can. */
  readonly onLeave: () => void;
};

export interface InputIntake {
  /** The screen is there from now on. */
  begin(): void;
  /** Undefined when the user leaves. */
  read(input: Input): Input | undefined;
  /** The user did something. */
  touch(): void;
  /** When the user last did something, in the milliseconds of `now`. */
  lastAt(): number;
  /** Puts a text into an empty prompt for the user to go on with. */
  offer(text: string): void;
}

/** Pressed so often in so short a time, it means that nothing else helps. */
const leavingPresses = 5;
const leavingMs = 2_000;
const earlyMs = 40;

export function createInputIntake({ prompt, now, onLeave }: IntakeParts): InputIntake {
  let begunAt = Number.NEGATIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let interrupts: readonly number[] = [];
  let offered: string | undefined;

  function isLeaving(input: Input): boolean {
    if (input.kind !== "key" || keyName(input.key) !== "ctrl+c") return false;
    interrupts = [...interrupts.filter((at) => now() - at < leavingMs), now()];
    return interrupts.length >= leavingPresses;
  }

  /** Enter that was pressed before the screen was there comes as a line feed. */
  function asMeant(input: Input): Input {
    if (input.kind !== "key") return input;
    const isEarly = now() - begunAt < earlyMs && keyName(input.key) === "ctrl+j";
    // A command is not the end of a text that was put there for the user.
    if (input.key.text === "/" && offered !== undefined && prompt.text() === offered) prompt.clear();
    return isEarly
      ? { kind: "key", key: { name: "enter", ctrl: false, alt: false, shift: false, meta: false } }
      : input;
  }

  return {
    begin() {
      begunAt = now();
    },
    read(input) {
      if (input.kind !== "focus") lastAt = now();
      if (!isLeaving(input)) return asMeant(input);
      onLeave();
      return undefined;
    },
    touch() {
      lastAt = now();
    },
    lastAt: () => lastAt,
    offer(text) {
      if (!prompt.isEmpty()) return;
      prompt.setText(notACommand(text));
      offered = prompt.text();
    },
  };
}
