/** A prompt for tests: applies what the engine says, and types in INSERT what the engine leaves alone. */
import { createVimEngine, type VimEngine } from "../src/vim/vim-engine.ts";
import type { VimKey } from "../src/vim/vim-key.ts";
import type { VimMode, VimResult } from "../src/vim/vim-result.ts";

/** A `|` in a text is the cursor. Keys are characters, and names such as `<Esc>`. */
export type Row = {
  readonly text: string;
  readonly keys: string;
  readonly expected: string;
  /** NORMAL if absent. */
  readonly mode?: VimMode;
  /** What `P` puts into an empty text afterwards; linewise text ends in a newline. */
  readonly register?: string;
};

/** How a terminal sends a capital: as it is printed, that with the shift flag, or its base letter with the shift flag. */
type KeyForm = "printed" | "printed with shift" | "base letter with shift";

export const keyForms: readonly KeyForm[] = ["printed", "printed with shift", "base letter with shift"];

export function rowName({ text, keys }: Row): string {
  return `${keys} in ${JSON.stringify(text)}`;
}

/** The row as it really went, with the optional parts it asks for. */
export function playRow(row: Row, form: KeyForm): Row {
  const prompt = createTestPrompt(row.text, { form });
  prompt.press(row.keys);
  const { mode } = prompt.engine;
  const played = { text: row.text, keys: row.keys, expected: prompt.marked(), ...(row.mode !== undefined && { mode }) };
  if (row.mode === undefined && mode !== "normal") return { ...played, mode };
  return row.register === undefined ? played : { ...played, register: prompt.readRegister() };
}

type TestPrompt = {
  readonly engine: VimEngine;
  /** The result of every key. */
  press(keys: string): readonly VimResult[];
  /** As a submit, history or an editor would. */
  replace(text: string): void;
  marked(): string;
  readRegister(): string;
};

export function createTestPrompt(
  initial: string,
  { form = "printed", shiftWidth }: { readonly form?: KeyForm; readonly shiftWidth?: number } = {},
): TestPrompt {
  const engine = createVimEngine(shiftWidth === undefined ? {} : { shiftWidth });
  let { text, cursor } = unmark(initial);
  const pressOne = (name: string): VimResult => {
    const result = engine.handleKey(keyEvent(name, form), text, cursor);
    if (result.consumed) {
      text = result.text ?? text;
      cursor = result.cursor ?? cursor;
    } else if (engine.mode === "insert") {
      ({ text, cursor } = typeInto(text, cursor, name));
    }
    return result;
  };
  return {
    engine,
    press: (keys) => splitKeys(keys).map(pressOne),
    replace(marked) {
      ({ text, cursor } = unmark(marked));
    },
    marked: () => `${text.slice(0, cursor)}|${text.slice(cursor)}`,
    readRegister() {
      if (engine.mode === "insert") pressOne("<Esc>");
      return engine.handleKey(keyEvent("P", form), "", 0).text ?? "";
    },
  };
}

function unmark(marked: string): { readonly text: string; readonly cursor: number } {
  return { text: marked.replace("|", ""), cursor: marked.indexOf("|") };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function splitKeys(keys: string): readonly string[] {
  const parts = keys.split(/(<[A-Z][A-Za-z0-9-]+>)/);
  return parts.flatMap((part) =>
    /^<[A-Z]/.test(part) && part.endsWith(">") ? [part] : Array.from(segmenter.segment(part), ({ segment }) => segment),
  );
}

const keyNames: Readonly<Record<string, string>> = { "<Esc>": "escape", "<BS>": "backspace", "<Del>": "delete" };

const typedNames: Readonly<Record<string, string>> = { "<Enter>": "\n", "<Space>": " " };

function keyEvent(name: string, form: KeyForm): VimKey {
  const plain = { ctrl: false, shift: false, meta: false };
  const chord = /^<([CM])-(.)>$/.exec(name);
  if (chord !== null) return { ...plain, key: chord[2] ?? "", ctrl: chord[1] === "C", meta: chord[1] === "M" };
  if (/^<[A-Z]/.test(name)) return { ...plain, key: keyNames[name] ?? name.slice(1, -1).toLowerCase() };
  const isCapital = name.toLowerCase() !== name;
  if (!isCapital || form === "printed") return { ...plain, key: name };
  return { ...plain, key: form === "printed with shift" ? name : name.toLowerCase(), shift: true };
}

function typeInto(text: string, cursor: number, name: string): { readonly text: string; readonly cursor: number } {
  const left = cursor - (Array.from(segmenter.segment(text.slice(0, cursor))).at(-1)?.segment.length ?? 0);
  switch (name) {
    case "<BS>":
      return { text: text.slice(0, left) + text.slice(cursor), cursor: left };
    case "<Left>":
      return { text, cursor: left };
    case "<Right>":
      return { text, cursor: cursor + (segmenter.segment(text.slice(cursor)).containing(0)?.segment.length ?? 0) };
    default: {
      const typed = typedNames[name] ?? (/^<[A-Z]/.test(name) ? "" : name);
      return { text: text.slice(0, cursor) + typed + text.slice(cursor), cursor: cursor + typed.length };
    }
  }
}
