import { createSeededRandom } from "@kedge/testing";
import { describe, expect, it } from "vitest";
import { visibleWidth } from "../screen/text-width.ts";
import { plainText, span } from "./styled-text.ts";
import { wrapAnywhere, wrapWords } from "./wrap-line.ts";

const bold = { isBold: true };

describe("wrapped lines", () => {
  it("break at spaces, also where a word has two styles", () => {
    const lines = wrapWords([span("one tw"), span("o three ", bold), span("four\n  five")], 8);
    expect(lines).toEqual([[span("one tw"), span("o", bold)], [span("three", bold)], [span("four")], [span("  five")]]);
  });

  it("break long words and between wide characters, but not before a closing mark", () => {
    expect(wrapWords([span("abcdefghij kl")], 4).map(plainText)).toEqual(["abcd", "efgh", "ij", "kl"]);
    expect(wrapWords([span("ab 一二三四。五")], 8).map(plainText)).toEqual(["ab 一二", "三四。五"]);
    expect(wrapWords([span("一二三。")], 6).map(plainText)).toEqual(["一二", "三。"]);
  });

  it("of code keep every space, and leave out only what fits no line", () => {
    expect(wrapAnywhere([span("  a   b  ")], 4).map(plainText)).toEqual(["  a ", "  b ", " "]);
    expect(wrapAnywhere([span("a字b")], 1).map(plainText)).toEqual(["a", "b"]);
    expect(wrapAnywhere([], 4)).toEqual([[]]);
  });

  it("fit, and lose nothing but spaces", () => {
    const random = createSeededRandom();
    const pieces = ["a", "bc ", " ", "字", "é", "👩", "e\u0301", "longer word ", "。", "🇩🇪", "ก็"];
    for (let round = 0; round < 1000; round++) {
      const spans = Array.from({ length: random.below(20) }, () => span(pieces[random.below(pieces.length)] ?? ""));
      const width = 2 + random.below(20);
      const text = plainText(spans);
      const words = wrapWords(spans, width).map(plainText);
      const code = wrapAnywhere(spans, width).map(plainText);
      const tooWide = [...words, ...code].filter((line) => visibleWidth(line) > width);
      expect(
        { tooWide, words: words.join("").replaceAll(" ", ""), code: code.join("") },
        `seed ${random.seed}`,
      ).toEqual({
        tooWide: [],
        words: text.replaceAll(" ", ""),
        code: text,
      });
    }
  });
});
