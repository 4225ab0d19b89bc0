/** A prompt for tests: keys by their names, answers by hand, and lines as they are seen. */
import type { Media } from "@kedge/protocol";
import type { CompletionItem, CompletionKind } from "../src/prompt/completion-question.ts";
import { createPrompt } from "../src/prompt/prompt.ts";
import type { Draft, PromptParts } from "../src/prompt/prompt-parts.ts";
import type { Input, Key } from "../src/screen/input.ts";
import { cursorMark } from "../src/screen/text-width.ts";
import { bareTheme } from "./bare-theme.ts";

export function keyInput(name: string): Input {
  const parts = name === "+" ? ["+"] : name.split("+");
  const last = parts.at(-1) ?? "";
  const has = (modifier: string) => parts.slice(0, -1).includes(modifier);
  const isLetter = Array.from(last).length === 1;
  const text = last === "space" ? " " : isLetter ? last : undefined;
  const isChord = has("ctrl") || has("alt") || has("meta");
  const key: Key = {
    name: isLetter ? last.toLowerCase() : last,
    ctrl: has("ctrl"),
    alt: has("alt"),
    shift: has("shift") || (isLetter && last !== last.toLowerCase()),
    meta: has("meta"),
    ...(text !== undefined && !isChord && { text }),
  };
  return { kind: "key", key };
}

export function setUpPrompt(given: Partial<PromptParts> & { readonly entries?: readonly string[] } = {}) {
  const entries: string[] = [...(given.entries ?? [])];
  const drafts: (Draft | undefined)[] = [];
  const theme = bareTheme();
  const prompt = createPrompt({
    theme: () => theme,
    now: () => 0,
    history: { entries: () => entries, add: (text) => entries.push(text) },
    complete: async () => [],
    readAttachment: async () => undefined,
    saveDraft: (draft) => drafts.push(draft),
    onChange: () => {},
    ...given,
  });
  prompt.render(40);
  const press = (...names: readonly string[]) => names.map((name) => prompt.handle(keyInput(name)));
  const type = (text: string) => {
    for (const letter of text) prompt.handle(keyInput(letter === " " ? "space" : letter));
  };
  const paste = (text: string) => prompt.handle({ kind: "paste", text });
  /** Without styles; `▏` stands before the sign under the cursor. */
  const seen = (width: number) =>
    prompt.render(width).map((line) =>
      line
        .replaceAll(cursorMark, "▏")
        // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is taken away.
        .replaceAll(/\u001b\[[0-9;]*m/g, ""),
    );
  return { prompt, press, type, paste, seen, entries, drafts };
}

/** Lets answers that are there already arrive. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

export const picture: Media = { name: "shot.png", mediaType: "image/png", base64: "AA==" };

/** Finds by the beginning. */
export function completeFrom(commands: readonly CompletionItem[], files: readonly CompletionItem[]) {
  return async ({ kind, text }: { readonly kind: CompletionKind; readonly text: string }) =>
    (kind === "command" ? commands : files).filter(({ value }) => value.startsWith(text));
}
