/** Keeps what was typed for something else from answering a dialog that came up under the fingers. */

import { cutText } from "../../screen/cut-text.ts";
import type { Input } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { permissionTexts } from "../../texts/permission-questions.ts";
import type { Theme } from "../../theme/theme.ts";

/** What a guard knows of the world around its dialog. */
export type Appearance = {
  readonly theme: () => Theme;
  readonly now: () => number;
  /** When the user last pressed, pasted or clicked anything anywhere, in the milliseconds of `now`. */
  readonly lastKeyAt: () => number;
  /** Keys count from now on, so the hint that they do not has to leave the screen. */
  readonly redraw: () => void;
};

export interface GuardedDialog extends Dialog {
  /** It comes into sight again, so the guard begins with the next drawing as it did with the first. */
  rearm(): void;
}

/** For somebody who was not typing: what the hand needs to stop on its way to a key. */
const earlyKeysMs = 200;
/** Whoever is typing goes on well within this; a longer pause means that the dialog was seen. */
const pauseMs = 600;
/** Timers may be a little early by the clock that judges the pause. */
const redrawLateMs = 20;

const hint = permissionTexts.tooEarly;

/**
 * Keys, pastes and clicks are taken by nobody until the dialog has been drawn for a moment and the user has paused:
 * they are neither an answer, nor passed on. Each of them asks for a pause of its own.
 */
export function guardEarlyKeys(dialog: Dialog, { theme, now, lastKeyAt, redraw }: Appearance): GuardedDialog {
  const cached = createRemembered<readonly string[]>();
  /** Undefined until it is drawn. */
  let opensAt: number | undefined;
  let swallowedAt = Number.NEGATIVE_INFINITY;
  /** Not told to those who only have to wait for a blink, since it would flicker. */
  let isTold = false;
  let timer: NodeJS.Timeout | undefined;

  function waitForPause(time: number): void {
    opensAt = time + pauseMs;
    isTold = true;
    clearTimeout(timer);
    timer = setTimeout(redraw, pauseMs + redrawLateMs).unref();
  }

  function appear(): void {
    const time = now();
    const isTyping = time - Math.max(lastKeyAt(), swallowedAt) < pauseMs;
    if (isTyping) waitForPause(time);
    else opensAt = time + earlyKeysMs;
  }

  const isOver = () => opensAt !== undefined && now() >= opensAt;

  return {
    get title() {
      return dialog.title;
    },
    widthWished: dialog.widthWished,
    render(width, height) {
      if (opensAt === undefined) appear();
      if (!isTold || isOver() || height < 2) return dialog.render(width, height);
      const lines = dialog.render(width, height - 1);
      const colours = theme();
      return cached([lines, width, colours], () => [
        ...lines,
        colours.fg("warning", cutText(hint, width, colours.symbols.ellipsis)),
      ]);
    },
    handle(input) {
      if (isHarmless(input) || isOver()) return dialog.handle(input);
      swallowedAt = now();
      if (opensAt !== undefined) waitForPause(swallowedAt);
      return true;
    },
    rearm() {
      clearTimeout(timer);
      opensAt = undefined;
      isTold = false;
    },
    closed() {
      clearTimeout(timer);
      dialog.closed?.();
    },
  };
}

/** Scrolling reads, and answers nothing. */
function isHarmless(input: Input): boolean {
  return input.kind === "focus" || (input.kind === "mouse" && input.mouse.type === "wheel");
}
