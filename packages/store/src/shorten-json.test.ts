/** Proves that shortened JSON is JSON, equal but for the strings that are too long, wherever its pieces end. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { shortenJson } from "./shorten-json.ts";

function* pieces(text: string, size: () => number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  const place = Buffer.alloc(1_000_000);
  for (let at = 0; at < bytes.length; ) {
    const end = at + size();
    const count = bytes.copy(place, 0, at, end);
    yield place.subarray(0, count);
    at = end;
  }
}

const signs = ["a", "é", "𝒳", "…", '"', "\\", "\n", "\u0000", "\u2028", "\ud800", "]", "{", "u0041"];

test("what is short stays as it is, and what is long is cut between characters", () => {
  const random = createSeededRandom();
  for (let round = 0; round < 8; round += 1) {
    const sign = () => signs[random.below(signs.length)] ?? "";
    const short = Array.from({ length: random.below(30) }, sign).join("");
    const long = Array.from({ length: 20 }, sign)
      .join("")
      .repeat(60_000 + random.below(10_000));
    const json = JSON.stringify({ [short]: short, content: [{ text: long }, { text: short, count: 1.5 }], last: null });
    const size = random.below(2) === 0 ? () => 1 + random.below(100_000) : () => 65_536;
    const shown = JSON.parse(shortenJson(pieces(json, size)));
    const text: string = shown.content[0].text;
    expect({ ...shown, content: [{}, shown.content[1]] }).toEqual({
      [short]: short,
      content: [{}, { text: short, count: 1.5 }],
      last: null,
    });
    const [, kept = "", said = ""] = /^([\s\S]*)\n(\[[\d,]+ KB more stored, not shown\])$/.exec(text) ?? [];
    expect(said).not.toBe("");
    // The lone half of a pair is written as an escape, and stays one.
    expect(long.startsWith(kept)).toBe(true);
    expect(kept.length).toBeGreaterThan(80_000);
  }
});

test("many long strings are kept within a bound together", () => {
  const json = JSON.stringify(Array.from({ length: 50 }, (_, index) => `${index} `.repeat(300_000)));
  const shown = shortenJson(pieces(json, () => 1_000_000));
  expect(shown.length).toBeLessThan(6 * 1024 * 1024);
  expect(JSON.parse(shown)).toHaveLength(50);
});
