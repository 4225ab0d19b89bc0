/** Plays a record in a terminal: space holds it, arrows step, a number goes to that fact, q ends it. */
import { exitCodes } from "../../exit-codes.ts";
import { writeResult } from "../../output.ts";
import { playerTexts } from "../../texts/sessions.ts";
import { delayBefore, type Frame, type Move, moveBy, type PlayerState, showNext } from "./frames.ts";
import { openPlayerKeys } from "./player-keys.ts";

export type PlayWithKeysOptions = {
  /** How many times as fast as it was. */
  readonly pace: number;
  /** The frame with which it begins. */
  readonly start: number;
  /** The number of the last fact. */
  readonly lastSeq: number;
};

const eraseLine = "\r\u001b[2K";

/** The terminal is left as it was, whatever ends the playing. */
export async function playWithKeys(
  frames: readonly Frame[],
  { pace, start, lastSeq }: PlayWithKeysOptions,
): Promise<number> {
  let state: PlayerState = { next: start, isPaused: false, typed: "" };
  let hasStatus = false;

  function write(text: string): void {
    writeResult(hasStatus ? `${eraseLine}${text}` : text);
    hasStatus = false;
  }

  /** One line at most, so that it can be taken away. */
  function tellPlace(): void {
    const place = playerTexts.place(frames[state.next - 1]?.seq ?? 0, lastSeq);
    const help = playerTexts.keys;
    const line = state.typed === "" ? `[${place}] ${help}` : playerTexts.goTo(place, state.typed);
    write(line.slice(0, Math.max(1, (process.stdout.columns ?? 80) - 1)));
    hasStatus = true;
  }

  function apply({ state: moved, show }: Move): void {
    state = moved;
    const frame = show === undefined ? undefined : frames[show.index];
    if (frame === undefined) return;
    write(show?.isJump ? `-- fact ${frame.seq} --\n${frame.text}` : frame.text);
  }

  const keys = openPlayerKeys();
  try {
    // Whoever stepped to the end by hand may still want to go back.
    while (state.next < frames.length || state.isPaused || state.typed !== "") {
      const isWaiting = state.isPaused || state.typed !== "";
      if (isWaiting) tellPlace();
      const delayMs = state.next === start ? 0 : delayBefore(frames, state.next, pace);
      const key = await keys.next(isWaiting ? undefined : delayMs);
      if (key === "interrupt") return exitCodes.interrupted;
      if (key === "quit") return exitCodes.success;
      apply(key === undefined ? showNext(state) : moveBy(key, state, frames));
    }
    return exitCodes.success;
  } finally {
    write("");
    keys.close();
  }
}
