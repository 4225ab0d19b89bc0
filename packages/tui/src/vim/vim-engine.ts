/** The vim mode of the prompt: modes, pending keys, register, dot repeat. Knows texts and cursors, never the widget. */
import { type CellText, createCellReader, indexOf, offsetOf, toCell } from "./cell-text.ts";
import { applyChange, type Change, registerOf } from "./change.ts";
import { type Edit, standingCursor } from "./edit.ts";
import type { Find } from "./find-in-line.ts";
import { type InsertSession, typedText } from "./insert-session.ts";
import { go, type Motion } from "./motions.ts";
import { createMover } from "./mover.ts";
import { rangeOf, type Target } from "./operator-range.ts";
import { type Command, isDigit, parseKeys } from "./parse-keys.ts";
import type { Register } from "./register.ts";
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
    lastChange = { change: session.change, typed: typedText(session, text) };
    mode = "normal";
    return { consumed: true, mode, cursor: standingCursor(readCells(text), { text, cursor, stand: "cell before" }) };
  };

  const yank = (text: CellText, index: number, target: Target): VimResult => {
    const range = rangeOf(text, index, { operator: "y", target });
    if (range === undefined) return { consumed: true };
    if (range.isLinewise || range.end > range.start) register = registerOf(text, range);
    if (range.isLinewise) return { consumed: true };
    return { consumed: true, cursor: offsetOf(text, toCell(text, range.start)) };
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

  const repeat = (text: CellText, index: number): VimResult => {
    const edit = lastChange && edited(text, index, lastChange.change);
    if (lastChange === undefined || edit === undefined) return { consumed: true };
    if (edit.stand !== "insert") return settled(edit);
    const { typed } = lastChange;
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
        return mover.move(text, index, command.motion);
      case "yank":
        return yank(text, index, command.target);
      case "change":
        return change(text, index, command.change);
      case "repeat":
        return repeat(text, index);
    }
  };

  /** Gives back a cursor also where nothing happened, because the widget may hold it behind the line. */
  const pressInNormal = (character: string, givenText: string, givenCursor: number): VimResult => {
    const text = readCells(givenText);
    const index = toCell(text, indexOf(text, givenCursor));
    const keys = [...pendingKeys, character];
    const parsed = parseKeys(keys, lastFind);
    if (parsed.kind !== "unfinished") pendingKeys = [];
    else if (!isCountGoingOn(keys)) pendingKeys = keys;
    const isCommand = parsed.kind !== "unfinished" && parsed.kind !== "unknown";
    const result = isCommand ? run(parsed, text, index) : { consumed: true };
    return { cursor: offsetOf(text, index), ...result };
  };

  return {
    get mode() {
      return mode;
    },
    get pending() {
      return pendingKeys.filter((key) => !isDigit(key)).join("");
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

/** One digit of an unfinished count is enough to know that a zero belongs to it. */
function isCountGoingOn(keys: readonly string[]): boolean {
  return keys.length > 1 && keys.slice(-2).every(isDigit);
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
