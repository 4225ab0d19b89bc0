/** The text being written and the place in it: every edit and move, without a screen. */
import { actToGoal, type GoalAction, type Range } from "./buffer-goals.ts";
import { type ChangeKind, createEditLog } from "./edit-log.ts";
import { boundaryAtOrAfter, boundaryAtOrBefore } from "./graphemes.ts";
import { createKillRing } from "./kill-ring.ts";

/** The rows a text is shown in, as far as moves up and down need them. */
export type RowMap = {
  columnOf(offset: number): number;
  /** The offset at this column one row above (-1) or below (1), or undefined when there is no such row. */
  offsetBeside(offset: number, direction: -1 | 1, column: number): number | undefined;
};

/** Each says whether there was anything to do. */
export type BufferAction = GoalAction | "yank" | "yankOlder" | "undo" | "redo";

/** The cursor is an offset in UTF-16 units and never stands inside of a grapheme. */
export type TextBuffer = {
  text(): string;
  cursor(): number;
  /** Typed text joins the step of the text typed before it. */
  insert(text: string, options?: { readonly isTyped?: boolean }): void;
  act(action: BufferAction): boolean;
  moveTo(offset: number): void;
  /** False when there is no row in this direction. */
  moveRow(rows: RowMap, direction: -1 | 1): boolean;
  replace(range: Range, text: string): void;
  /** As one step that can be taken back; the cursor goes to its end unless told. */
  setText(text: string, cursor?: number): void;
  /** Begins again: nothing can be taken back, and cut texts are kept as `keep` leaves them. */
  reset(text: string, keep: (cut: string) => string): void;
};

export function createTextBuffer({ now }: { readonly now: () => number }): TextBuffer {
  let text = "";
  let cursor = 0;
  let column: number | undefined;
  /** What the last action was, where the next one depends on it. */
  let last: "kill" | { readonly yankedAt: Range } | undefined;
  const log = createEditLog(now);
  const ring = createKillRing();

  function change(range: Range, inserted: string, kind: ChangeKind): void {
    const removed = text.slice(range.start, range.end);
    column = undefined;
    last = undefined;
    if (removed === inserted) return;
    log.record({ at: range.start, removed, inserted, cursorBefore: cursor }, kind);
    text = text.slice(0, range.start) + inserted + text.slice(range.end);
    place(range.start + inserted.length);
  }

  /** After an edit marks may have joined the letter before them, so the place may no longer be a boundary. */
  function place(offset: number): void {
    cursor = boundaryAtOrAfter(text, Math.max(0, Math.min(offset, text.length)));
  }

  function moveTo(offset: number): boolean {
    const before = cursor;
    cursor = boundaryAtOrBefore(text, Math.max(0, Math.min(offset, text.length)));
    column = undefined;
    last = undefined;
    log.endRun();
    return cursor !== before;
  }

  function erase(range: Range): boolean {
    if (range.start === range.end) return false;
    change(range, "", "erasing");
    return true;
  }

  function kill(range: Range, side: "before" | "after"): boolean {
    if (range.start === range.end) return false;
    ring.push(text.slice(range.start, range.end), last === "kill" ? side : undefined);
    change(range, "", "other");
    last = "kill";
    return true;
  }

  function yank(range: Range, inserted: string | undefined): boolean {
    if (inserted === undefined) return false;
    change(range, inserted, "other");
    last = { yankedAt: { start: range.start, end: range.start + inserted.length } };
    return true;
  }

  const ahead = (end: number): Range => ({ start: cursor, end });

  function step(direction: "undo" | "redo"): boolean {
    const found = log[direction]();
    if (found === undefined) return false;
    const { at, removed, inserted } = found;
    const [before, after] = direction === "undo" ? [inserted, removed] : [removed, inserted];
    text = text.slice(0, at) + after + text.slice(at + before.length);
    if (direction === "undo") moveTo(found.cursorBefore);
    else place(at + after.length);
    column = undefined;
    last = undefined;
    return true;
  }

  function act(action: BufferAction): boolean {
    switch (action) {
      case "yank":
        return yank(ahead(cursor), ring.newest());
      case "yankOlder":
        return last !== undefined && last !== "kill" && yank(last.yankedAt, ring.rotate());
      case "undo":
      case "redo":
        return step(action);
      default:
        return actToGoal(action, { text, cursor }, { moveTo, erase, kill });
    }
  }

  return {
    text: () => text,
    cursor: () => cursor,
    insert(inserted, options) {
      change(ahead(cursor), inserted, options?.isTyped === true ? "typing" : "other");
    },
    act,
    moveTo: (offset) => void moveTo(offset),
    moveRow(rows, direction) {
      const wished = column ?? rows.columnOf(cursor);
      const offset = rows.offsetBeside(cursor, direction, wished);
      if (offset === undefined) return false;
      moveTo(offset);
      column = wished;
      return true;
    },
    replace(range, inserted) {
      const shift = inserted.length - (range.end - range.start);
      const moved = cursor >= range.end ? cursor + shift : Math.min(cursor, range.start);
      change(range, inserted, "other");
      place(moved);
    },
    setText(whole, at) {
      const start = sharedStart(text, whole);
      const end = sharedEnd(text, whole, start);
      change({ start, end: text.length - end }, whole.slice(start, whole.length - end), "other");
      moveTo(at ?? whole.length);
    },
    reset(whole, keep) {
      text = whole;
      log.clear();
      ring.rewrite(keep);
      moveTo(whole.length);
    },
  };
}

function sharedStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left.charCodeAt(count) === right.charCodeAt(count)) count += 1;
  return count;
}

function sharedEnd(left: string, right: string, after: number): number {
  const most = Math.min(left.length, right.length) - after;
  let count = 0;
  while (count < most && left.charCodeAt(left.length - 1 - count) === right.charCodeAt(right.length - 1 - count)) {
    count += 1;
  }
  return count;
}
