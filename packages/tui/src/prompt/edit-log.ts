/** What was changed in a text, so that it can be taken back and done again: by runs of typing, not by letters. */

export type Change = {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly cursorBefore: number;
};

/** Changes of one kind that touch each other are one step; `other` always is a step of its own. */
export type ChangeKind = "typing" | "erasing" | "other";

export type EditLog = {
  record(change: Change, kind: ChangeKind): void;
  /** The next change of any kind begins a new step, as after a move of the cursor. */
  endRun(): void;
  /** The change to take back, or to do again. */
  undo(): Change | undefined;
  redo(): Change | undefined;
  clear(): void;
};

const stepsMax = 500;
/** Kept for taking back in all; beyond this the oldest steps are forgotten. */
const charactersMax = 16_000_000;
/** A longer rest between two letters begins a new step. */
const restMs = 2_000;

export function createEditLog(now: () => number): EditLog {
  let done: Change[] = [];
  let undone: Change[] = [];
  let run: { readonly kind: ChangeKind; readonly atMs: number } | undefined;
  let characters = 0;

  const sizeOf = (change: Change) => change.removed.length + change.inserted.length;

  return {
    record(change, kind) {
      undone = [];
      const last = done.at(-1);
      const isSameRun = run !== undefined && run.kind === kind && now() - run.atMs < restMs;
      const joined = isSameRun && last !== undefined ? join(last, change, kind) : undefined;
      if (joined !== undefined) done[done.length - 1] = joined;
      else done.push(change);
      characters += sizeOf(change);
      while (done.length > stepsMax || (characters > charactersMax && done.length > 1)) {
        const oldest = done.shift();
        characters -= oldest === undefined ? 0 : sizeOf(oldest);
      }
      run = { kind, atMs: now() };
    },
    endRun() {
      run = undefined;
    },
    undo() {
      run = undefined;
      const change = done.pop();
      if (change === undefined) return undefined;
      characters -= sizeOf(change);
      undone.push(change);
      return change;
    },
    redo() {
      run = undefined;
      const change = undone.pop();
      if (change === undefined) return undefined;
      characters += sizeOf(change);
      done.push(change);
      return change;
    },
    clear() {
      done = [];
      undone = [];
      characters = 0;
      run = undefined;
    },
  };
}

function join(last: Change, next: Change, kind: ChangeKind): Change | undefined {
  if (kind === "typing" && next.removed === "" && next.at === last.at + last.inserted.length) {
    // A step ends with its word, so that taking back gives words and not sentences.
    const beginsWord = /\s$/.test(last.inserted) && !/^\s/.test(next.inserted);
    return beginsWord ? undefined : { ...last, inserted: last.inserted + next.inserted };
  }
  if (kind === "erasing" && last.inserted === "") {
    if (next.at + next.removed.length === last.at) {
      return { ...last, at: next.at, removed: next.removed + last.removed };
    }
    if (next.at === last.at) return { ...last, removed: last.removed + next.removed };
  }
  return undefined;
}
