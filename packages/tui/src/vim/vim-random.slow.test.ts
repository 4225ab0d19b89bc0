/** Whatever is typed into whatever text: no throw, a valid text, and a cursor where a cursor may stand. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { createTestPrompt, keyForms } from "../../test/vim-prompt.ts";

const sequencesCount = rounds({ usual: 800, long: 5_000 });
const keysMax = 25;
const cellsMax = 30;

const pieces = ["a", "b", "_", "7", " ", " ", "\t", "\n", "\n", ".", ")", "(", "[", "]", "{", "}", '"', "'", "\\"];
const unicodePieces = ["é", "e\u0301", "\u0301", "日", "👨‍👩‍👧", "🇪🇺", "🇪", "\u200d", "👍🏽", "ß"];
const texts = [...pieces, ...unicodePieces];
const keys = [
  ..."hjklwWbBeE0^$gGfFtT;,iIaAoOxdDcCyYpP><J.dcydcyiaia\"'()[]{}rmqvu19 é日",
  ...["<Esc>", "<Esc>", "<Esc>", "<Esc>", "<Esc>", "<Left>", "<Right>", "<BS>", "<Enter>", "<C-r>", "<Space>"],
];

/** A cell of the whole text, cut by the segmenter itself and not by the engine. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function fault(marked: string, mode: string): string | undefined {
  const cursor = marked.indexOf("|");
  const text = marked.replace("|", "");
  if (!text.isWellFormed()) return "the text holds half a character";
  if (mode === "insert") return undefined;
  const segment = segmenter.segment(text).containing(cursor);
  if (segment !== undefined && segment.index !== cursor) return "the cursor is inside of a character";
  const isAtLineEnd = cursor === text.length || text[cursor] === "\n";
  const isEmptyLine = cursor === 0 || text[cursor - 1] === "\n";
  return isAtLineEnd && !isEmptyLine ? "the cursor is behind its line" : undefined;
}

test("random keys never throw, break the text or lose the cursor", () => {
  const random = createSeededRandom();
  const pick = (from: readonly string[]) => from[random.below(from.length)] ?? "";
  const faults: string[] = [];
  for (let sequence = 0; sequence < sequencesCount; sequence++) {
    const parts = Array.from({ length: random.below(cellsMax) }, () => pick(texts));
    parts.splice(random.below(parts.length + 1), 0, "|");
    const text = parts.join("");
    const prompt = createTestPrompt(text, { form: keyForms[random.below(keyForms.length)] ?? "printed" });
    const pressed: string[] = [];
    // Until the first key the cursor is where the widget put it.
    for (let count = 1 + random.below(keysMax); count > 0; count--) {
      pressed.push(pick(keys));
      const [result] = prompt.press(pressed.at(-1) ?? "");
      const found = result?.consumed ? fault(prompt.marked(), prompt.engine.mode) : undefined;
      if (found !== undefined) faults.push(`${found}: ${JSON.stringify([text, pressed.join(""), prompt.marked()])}`);
    }
  }
  expect(faults).toEqual([]);
});
