/** The text being written and the place in it: every edit and move, without a screen. */
import { type ChangeKind, createEditLog } from "./edit-log.ts";
import {
  blankBefore,
  boundaryAtOrAfter,
  boundaryAtOrBefore,
  nextBoundary,
  previousBoundary,
  wordEndAfter,
  wordStartBefore,
} from "./graphemes.ts";
import { createKillRing } from "./kill-ring.ts";

/** The rows a text is shown in, as far as moves up and down need them. */
export type RowMap = {
  columnOf(offset: number): number;
  /** The offset at this column one row above (-1) or below (1), or undefined when there is no such row. */
  offsetBeside(offset: number, direction: -1 | 1, column: number): number | undefined;
};

type Range = { readonly start: number; readonly end: number };

/** Named by what they do; each says whether there was anything to do. */
export type BufferAction =
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "lineStart"
  | "lineEnd"
  | "textStart"
  | "textEnd"
  | "eraseLeft"
  | "eraseRight"
  | "killWordLeft"
  | "killBlankLeft"
  | "killWordRight"
  | "killToLineStart"
  | "killToLineEnd"
  | "yank"
  | "yankOlder"
  | "undo"
  | "redo";

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
  /** Begins anew: nothing can be taken back, and cut texts are kept as `keep` leaves them. */
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

  const lineStart = () => (cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1);
  const lineEnd = () => {
    const end = text.indexOf("\n", cursor);
    return end === -1 ? text.length : end;
  };
  const back = (start: number): Range => ({ start, end: cursor });
  const ahead = (end: number): Range => ({ start: cursor, end });

  const actions: { readonly [Action in BufferAction]: () => boolean } = {
    left: () => moveTo(previousBoundary(text, cursor)),
    right: () => moveTo(nextBoundary(text, cursor)),
    wordLeft: () => moveTo(wordStartBefore(text, cursor)),
    wordRight: () => moveTo(wordEndAfter(text, cursor)),
    lineStart: () => moveTo(lineStart()),
    lineEnd: () => moveTo(lineEnd()),
    textStart: () => moveTo(0),
    textEnd: () => moveTo(text.length),
    eraseLeft: () => erase(back(previousBoundary(text, cursor))),
    eraseRight: () => erase(ahead(nextBoundary(text, cursor))),
    killWordLeft: () => kill(back(wordStartBefore(text, cursor)), "before"),
    killBlankLeft: () => kill(back(blankBefore(text, cursor)), "before"),
    killWordRight: () => kill(ahead(wordEndAfter(text, cursor)), "after"),
    // At the edge of a line the line break itself goes, so that the key can be held down.
    killToLineStart: () => kill(back(lineStart() === cursor ? Math.max(0, cursor - 1) : lineStart()), "before"),
    killToLineEnd: () => kill(ahead(lineEnd() === cursor ? Math.min(text.length, cursor + 1) : lineEnd()), "after"),
    yank: () => yank(ahead(cursor), ring.newest()),
    yankOlder: () => {
      if (last === undefined || last === "kill") return false;
      return yank(last.yankedAt, ring.rotate());
    },
    undo: () => {
      const step = log.undo();
      if (step === undefined) return false;
      text = text.slice(0, step.at) + step.removed + text.slice(step.at + step.inserted.length);
      moveTo(step.cursorBefore);
      return true;
    },
    redo: () => {
      const step = log.redo();
      if (step === undefined) return false;
      text = text.slice(0, step.at) + step.inserted + text.slice(step.at + step.removed.length);
      place(step.at + step.inserted.length);
      column = undefined;
      last = undefined;
      return true;
    },
  };

  return {
    text: () => text,
    cursor: () => cursor,
    insert(inserted, options) {
      change(ahead(cursor), inserted, options?.isTyped === true ? "typing" : "other");
    },
    act: (action) => actions[action](),
    moveTo(offset) {
      moveTo(offset);
    },
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
