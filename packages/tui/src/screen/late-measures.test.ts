/** Whatever the text is, it is measured as the library measures it. */
import * as library from "@earendil-works/pi-tui/dist/utils.js";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import * as ours from "./late-measures.ts";

const pieces: readonly string[] = [
  ...["a", "word and word", " ", "ß", "é", "·", "…", "❯", "✓", "│", "╭──╮", "█▄", "⠋", "→", "⎇", "▶", "◀", "☐", "◻"],
  ...[
    "\u001b[1m",
    "\u001b[38;2;1;2;3m",
    "\u001b[39m",
    "\u001b]8;;https://a.b\u0007",
    "\u001b]8;;\u001b\\",
    "\u001b_pi:c\u0007",
  ],
  ...["\u001b", "\u001b[", "\u001b]8;;", "\u001b_x", "\u001b[?25l", "\t", "\n", "\u0007", "\u0000"],
  ...[
    "漢字",
    "한글",
    "😀",
    "👩‍👩‍👧",
    "🇩🇪",
    "❤️",
    "e\u0301",
    "\u0301",
    "\u200b",
    "\u200d",
    "\u202e",
    "ก\u0e33",
    "ກ\u0eb3",
    "\ud800",
    "नि",
  ],
];

test("any text, at any width", () => {
  const { seed, below } = createSeededRandom();
  for (let round = 0; round < 3_000; round += 1) {
    const text = Array.from({ length: below(9) }, () => pieces[below(pieces.length)] ?? "").join("");
    const about = `${JSON.stringify(text)}, seed ${seed}`;
    expect(ours.visibleWidth(text), about).toBe(library.visibleWidth(text));
    expect(ours.normalizeTerminalOutput(text), about).toBe(library.normalizeTerminalOutput(text));
    const [columns, ellipsis, isPadded] = [below(20), ["", "…", "..."][below(3)], below(4) === 0];
    expect(ours.truncateToWidth(text, columns, ellipsis, isPadded), `${about}, ${columns}`).toBe(
      library.truncateToWidth(text, columns, ellipsis, isPadded),
    );
  }
});

test("every single character", () => {
  for (let code = 0; code < 0x3000; code += 1) {
    const text = String.fromCharCode(code);
    expect(ours.visibleWidth(`${text}.`), code.toString(16)).toBe(library.visibleWidth(`${text}.`));
  }
});

test("words end where the library ends them", () => {
  expect(ours.PUNCTUATION_REGEX).toEqual(library.PUNCTUATION_REGEX);
  expect([...ours.getWordSegmenter().segment("two words")].map(({ segment }) => segment)).toEqual([
    "two",
    " ",
    "words",
  ]);
});
