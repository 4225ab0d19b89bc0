/** The vim mode of the prompt: modes, pending keys, register, dot repeat. Knows texts and cursors, never the widget. */
import { type CellText, createCellReader, indexOf, lineStart, offsetOf, toCell } from "./cell-text.ts";
import { applyChange, type Change, registerOf } from "./change.ts";
import { type Edit, standingCursor } from "./edit.ts";
import type { Find } from "./find-in-line.ts";
import { type InsertSession, typedText } from "./insert-session.ts";
import { go, type Motion } from "./motions.ts";
import { createMover } from "./mover.ts";
import { rangeOf, type Target } from "./operator-range.ts";
import { type Command, isDigit, parseKeys } from "./parse-keys.ts";
import { type Register, repeated } from "./register.ts";
import { readKey, type VimKey } from "./vim-key.ts";
import type { VimMode, VimResult } from "./vim-result.ts";

export type VimEngine = {
  readonly mode: VimMode;
  /** The keys of a command that waits for more, for display. */
  readonly pending: string;
  /** Never throws, whatever the key; in NORMAL a cursor behind a line is taken to stand on its last character. */
  handleKey(key: VimKey, text: string, cursor: number): VimResult;
  /** After a submit: the text starts over, and the mode stays. */
  reset(): void;
};

const shiftWidthDefault = 2;

export function createVimEngine({ shiftWidth = shiftWidthDefault }: { readonly shiftWidth?: number } = {}): VimEngine {
  const readCells = createCellReader();
  let mode: VimMode = "normal";
  let pendingKeys: readonly string[] = [];
  let register: Register | undefined;
  let lastFind: Find | undefined;
  let lastChange: { readonly change: Change; readonly typed: string } | undefined;
  let session = emptySession();
  const mover = createMover();

  const leaveInsert = (text: string, cursor: number): VimResult => {
    const typed = typedText(session, text);
    lastChange = { change: session.change, typed };
    mode = "normal";
    const again = typedAgain(session.change, typed);
    const edit: Edit = {
      text: text.slice(0, cursor) + again + text.slice(cursor),
      cursor: cursor + again.length,
      stand: "cell before",
    };
    return { ...settled(edit), mode };
  };

  const yank = (text: CellText, index: number, target: Target): VimResult => {
    const range = rangeOf(text, index, { operator: "y", target });
    if (range === undefined) return { consumed: true };
    if (range.isLinewise || range.end > range.start) register = registerOf(text, range);
    if (!range.isLinewise) return { consumed: true, cursor: offsetOf(text, toCell(text, range.start)) };
    // Whole lines leave the cursor where it is, unless the motion went up to them.
    if (target.kind !== "motion" || range.start >= lineStart(text, index)) return { consumed: true };
    return mover.move(text, index, target.motion, target.count);
  };

  const change = (text: CellText, index: number, wanted: Change): VimResult => {
    const edit = edited(text, index, wanted);
    if (edit === undefined) return { consumed: true };
    if (edit.stand !== "insert") {
      lastChange = { change: wanted, typed: "" };
      return settled(edit);
    }
    session = { change: wanted, text: edit.text, cursor: edit.cursor };
    mode = "insert";
    return { consumed: true, mode, text: edit.text, cursor: edit.cursor };
  };

  /** A count of its own takes the place of the first one. */
  const repeat = (text: CellText, index: number, count: number | undefined): VimResult => {
    if (lastChange !== undefined && count !== undefined) {
      lastChange = { ...lastChange, change: withCount(lastChange.change, count) };
    }
    const edit = lastChange && edited(text, index, lastChange.change);
    if (lastChange === undefined || edit === undefined) return { consumed: true };
    if (edit.stand !== "insert") return settled(edit);
    const typed = lastChange.typed + typedAgain(lastChange.change, lastChange.typed);
    return settled({
      text: edit.text.slice(0, edit.cursor) + typed + edit.text.slice(edit.cursor),
      cursor: edit.cursor + typed.length,
      stand: "cell before",
    });
  };

  const edited = (text: CellText, index: number, wanted: Change): Edit | undefined => {
    const changed = applyChange(wanted, { text, index, register, shiftWidth });
    if (changed?.register !== undefined) register = changed.register;
    return changed?.edit;
  };

  const settled = (edit: Edit): VimResult => {
    return { consumed: true, text: edit.text, cursor: standingCursor(readCells(edit.text), edit) };
  };

  const run = (command: Command, text: CellText, index: number): VimResult => {
    const motion = motionOf(command);
    const isNewFind = motion?.kind === "find" && !motion.isRepeat;
    if (isNewFind && go(text, index, motion) !== undefined) lastFind = motion.find;
    switch (command.kind) {
      case "move":
        return mover.move(text, index, command.motion, command.count);
      case "yank":
        return yank(text, index, command.target);
      case "change":
        return change(text, index, command.change);
      case "repeat":
        return repeat(text, index, command.count);
    }
  };

  /** Gives back a cursor also where nothing happened, because the widget may hold it behind the line. */
  const pressInNormal = (character: string, givenText: string, givenCursor: number): VimResult => {
    const text = readCells(givenText);
    const index = toCell(text, indexOf(text, givenCursor));
    const keys = [...pendingKeys, character];
    const parsed = parseKeys(keys, lastFind);
    if (parsed.kind !== "unfinished") pendingKeys = [];
    else if (!isCountTooLong(keys)) pendingKeys = keys;
    const isCommand = parsed.kind !== "unfinished" && parsed.kind !== "unknown";
    const result = isCommand ? run(parsed, text, index) : { consumed: true };
    return { cursor: offsetOf(text, index), ...result };
  };

  return {
    get mode() {
      return mode;
    },
    get pending() {
      return pendingKeys.join("");
    },
    handleKey(key, text, cursor) {
      const meaning = readKey(key);
      if (mode === "insert") {
        if (meaning.kind !== "escape") return { consumed: false };
        return onlyChanges(leaveInsert(text, cursor), { text, cursor });
      }
      if (meaning.kind === "printed") {
        return onlyChanges(pressInNormal(meaning.character, text, cursor), { text, cursor });
      }
      pendingKeys = [];
      return { consumed: false };
    },
    reset() {
      pendingKeys = [];
      mover.reset();
      session = emptySession();
    },
  };
}

/** A submit in INSERT leaves an empty text in which typing goes on. */
function emptySession(): InsertSession {
  return { change: { kind: "insert", at: "cursor" }, text: "", cursor: 0 };
}

const digitsMax = 5;

function isCountTooLong(keys: readonly string[]): boolean {
  return keys.length > digitsMax && keys.slice(-1 - digitsMax).every(isDigit);
}

/** What was typed in an insertion with a count, for all times but the first; each opened line is one of its own. */
function typedAgain(change: Change, typed: string): string {
  const times = (change.count ?? 1) - 1;
  if (times < 1 || (change.kind !== "insert" && change.kind !== "open")) return "";
  const once = change.kind === "open" ? `\n${typed}` : typed;
  return once === "" ? "" : repeated(once, times);
}

function withCount(change: Change, count: number): Change {
  if (change.kind !== "operate" || change.target.kind === "object") return { ...change, count };
  return { ...change, target: { ...change.target, count } };
}

function motionOf(command: Command): Motion | undefined {
  if (command.kind === "move") return command.motion;
  const target = command.kind === "yank" ? command.target : targetOfChange(command);
  return target?.kind === "motion" ? target.motion : undefined;
}

function targetOfChange(command: Command): Target | undefined {
  return command.kind === "change" && command.change.kind === "operate" ? command.change.target : undefined;
}

/** A new text always comes with its cursor, because a widget forgets its own when its text is set. */
function onlyChanges(
  { text, cursor, ...rest }: VimResult,
  given: { readonly text: string; readonly cursor: number },
): VimResult {
  if (text !== undefined && text !== given.text) return { ...rest, text, cursor: cursor ?? given.cursor };
  return { ...rest, ...(cursor !== undefined && cursor !== given.cursor && { cursor }) };
}
