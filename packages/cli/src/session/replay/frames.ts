/** What a player shows for each fact, and how a key moves it between them. */

export type Frame = {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly text: string;
};

/** Nobody wants to sit through the night between two prompts. */
const pauseMsMax = 5_000;

/** How long what comes next waits after what was shown before it. */
export function delayBefore(frames: readonly Frame[], index: number, pace: number): number {
  const [before, next] = [frames[index - 1], frames[index]];
  if (before === undefined || next === undefined) return 0;
  return Math.min(pauseMsMax, Math.max(0, next.time - before.time) / pace);
}

export type PlayerState = {
  /** The frame that is shown next; their number when all were shown. */
  readonly next: number;
  readonly isPaused: boolean;
  /** The number of a fact, as far as it was typed. Playing waits for its end. */
  readonly typed: string;
};

export type PlayerKey =
  | "pause"
  | "forward"
  | "back"
  | "enter"
  | "erase"
  | "cancel"
  | "quit"
  | "interrupt"
  | { readonly digit: string };

export type Move = {
  readonly state: PlayerState;
  /** The frame to be shown now; with `isJump` it does not follow what stands above it. */
  readonly show?: { readonly index: number; readonly isJump: boolean };
};

const digitsMax = 9;

/** Keys that end the playing are not for it. */
export function moveBy(
  key: Exclude<PlayerKey, "quit" | "interrupt">,
  state: PlayerState,
  frames: readonly Frame[],
): Move {
  const { next, isPaused, typed } = state;
  if (typeof key === "object") return { state: { ...state, typed: (typed + key.digit).slice(0, digitsMax) } };
  switch (key) {
    case "pause":
      return { state: { ...state, isPaused: !isPaused, typed: "" } };
    case "forward":
      return next < frames.length ? showNext({ next, isPaused: true, typed: "" }) : { state: { ...state, typed: "" } };
    case "back":
      return jumpTo(Math.max(0, next - 2), { ...state, isPaused: true }, frames);
    case "enter":
      return typed === ""
        ? { state }
        : jumpTo(Math.min(frames.length - 1, indexOfSeq(Number(typed), frames)), state, frames);
    case "erase":
      return { state: { ...state, typed: typed.slice(0, -1) } };
    case "cancel":
      return { state: { ...state, typed: "" } };
  }
}

/** What is due when the time of the next frame has come. */
export function showNext(state: PlayerState): Move {
  return { state: { ...state, next: state.next + 1 }, show: { index: state.next, isJump: false } };
}

function jumpTo(index: number, state: PlayerState, frames: readonly Frame[]): Move {
  if (frames.length === 0) return { state: { ...state, typed: "" } };
  return { state: { ...state, next: index + 1, typed: "" }, show: { index, isJump: true } };
}

/** The first that is shown from this fact on; their number when none is. */
export function indexOfSeq(seq: number, frames: readonly Frame[]): number {
  const index = frames.findIndex((frame) => frame.seq >= seq);
  return index === -1 ? frames.length : index;
}
