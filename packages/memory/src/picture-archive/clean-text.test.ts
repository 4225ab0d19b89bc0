/** What a text becomes before it is printed, and that everything has a drawing of its own. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cleanText, createTypesetter } from "./clean-text.ts";
import { type FontName, loadFont } from "./font.ts";

test.each([
  ["a  b\t\tc", "a b c"],
  ["a \r\n\r\n   b\n", "a\nb"],
  ["\u001b[31mred\u001b[0m \u0007bell", "red bell"],
  ["zero\u200bwidth\ufeff \u2764\ufe0f", "zerowidth \u2764"],
  ["e\u0301", "é"],
  ["line\u2028next\u0085last", "line\nnext\nlast"],
  ["half\ud83d", "half\ufffd"],
])("%j becomes %j", (from, to) => {
  expect(cleanText(from)).toBe(to);
  expect(cleanText(to)).toBe(to);
});

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));

describe.each<FontName>(["7x13", "5x8", "4x8"])("the font %s", (name) => {
  const font = loadFont(name);

  test("draws every printable character, each differently and inside its cell", () => {
    const seen = new Map<string, string>();
    for (const character of [...ascii, ..."█■□…—•→←↑↓─│┌┐└┘├┤┬┴┼✓✗"]) {
      const glyph = font.glyph(character);
      expect({ character, rows: glyph?.length }).toEqual({ character, rows: font.height });
      expect(glyph?.every((row) => row < 2 ** font.width)).toBe(true);
      const drawing = String(glyph);
      expect({ character, sameAs: seen.get(drawing) }).toEqual({ character, sameAs: undefined });
      seen.set(drawing, character);
    }
  });

  test("can print what every transliteration stands for", () => {
    const table: { readonly [from: string]: string } = JSON.parse(
      readFileSync(new URL("./transliterations.json", import.meta.url), "utf8"),
    );
    const typesetter = createTypesetter(font);
    for (const character of Object.keys(table)) typesetter.glyphs(character);
    expect(typesetter.unprintable()).toBe(0);
  });

  test("keeps the block for line breaks, and prints by number what it cannot draw", () => {
    const typesetter = createTypesetter(font);
    const same = (character: string, text: string) =>
      expect(typesetter.glyphs(character)).toEqual(Array.from(text, font.glyph));
    same("\n", "█");
    same("█", "■");
    same("“", '"');
    same("≤", "<=");
    same("ﬁ", "fi");
    same("Ａ", "A");
    same("ệ", "e");
    expect(typesetter.unprintable()).toBe(0);
    same("中", "□4E2D;");
    same("🚀", "□1F680;");
    same("🚀", "□1F680;");
    expect(typesetter.unprintable()).toBe(3);
  });
});

test("letters with marks are put together and differ from each other", () => {
  const font = loadFont("7x13");
  const letters = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝčšžřěąęşğőűßæÆøØðÐþÞłŁ";
  const drawings = Array.from(letters, (letter) => String(font.glyph(letter)));
  expect(drawings).not.toContain("undefined");
  expect(new Set([...drawings, ...ascii.map((character) => String(font.glyph(character)))]).size).toBe(
    drawings.length + ascii.length,
  );
});
