/** Between the prompt and a vim engine that knows only a text and a place in it. */
import type { Key } from "../screen/input.ts";
import { previousBoundary } from "./graphemes.ts";
import type { TextBuffer } from "./text-buffer.ts";

export type VimMode = "normal" | "insert";

/** What the prompt needs of an engine. Escape in normal mode drops half a command and is not consumed: it is the app's. */
export type PromptVimEngine = {
  readonly mode: VimMode;
  handleKey(
    key: { readonly key: string; readonly ctrl: boolean; readonly shift: boolean; readonly meta: boolean },
    text: string,
    cursor: number,
  ): {
    readonly consumed: boolean;
    readonly text?: string | undefined;
    readonly cursor?: number | undefined;
    readonly edge?: "up" | "down" | undefined;
  };
  /** Forgets half a command and keeps the mode. */
  reset(): void;
};

export type VimOutcome = "taken" | "up" | "down" | "left to others";

export type VimAdapter = {
  mode(): VimMode;
  handle(key: Key): VimOutcome;
  /** Puts a cursor that others moved where it may stand in this mode: on a sign, not behind the last one of a line. */
  settle(): void;
  reset(): void;
};

export function createVimAdapter(engine: PromptVimEngine, buffer: TextBuffer): VimAdapter {
  function settle(): void {
    const text = buffer.text();
    const cursor = buffer.cursor();
    const isBehindLine = cursor > 0 && (cursor === text.length || text[cursor] === "\n") && text[cursor - 1] !== "\n";
    if (engine.mode === "normal" && isBehindLine) buffer.moveTo(previousBoundary(text, cursor));
  }

  function handle(key: Key): VimOutcome {
    if (engine.mode === "insert" && key.name !== "escape") return "left to others";
    const meta = key.meta || key.alt;
    const name = key.text ?? key.name;
    const result = engine.handleKey(
      { key: name, ctrl: key.ctrl, shift: key.shift, meta },
      buffer.text(),
      buffer.cursor(),
    );
    if (result.text !== undefined) buffer.setText(result.text, result.cursor ?? buffer.cursor());
    else if (result.cursor !== undefined) buffer.moveTo(result.cursor);
    if (result.edge !== undefined) return result.edge;
    return result.consumed ? "taken" : "left to others";
  }

  return { mode: () => engine.mode, handle, settle, reset: () => engine.reset() };
}
