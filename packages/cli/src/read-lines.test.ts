/** Proves that lines end with a line feed alone, wherever the pieces of the input end, and that a long one is passed over. */
import { PassThrough, Readable } from "node:stream";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { readLines } from "./read-lines.ts";

async function linesOf(input: NodeJS.ReadableStream, charactersMax = 100) {
  const lines = [];
  for await (const line of readLines(input, { charactersMax })) lines.push(line);
  return lines;
}

test("separators of Unicode are characters like any other, in any pieces", async () => {
  const random = createSeededRandom();
  const signs = ["a", "é", "𝒳", "\u2028", "\u2029", "\u0085", "\v", "\f", "\r", " ", "\u0000", "\uFEFF"];
  for (let round = 0; round < 200; round += 1) {
    const texts = Array.from({ length: 1 + random.below(4) }, () =>
      Array.from({ length: random.below(6) }, () => signs[random.below(signs.length)])
        .join("")
        .concat("x"),
    );
    const end = random.below(2) === 0 ? "\n" : "\r\n";
    const bytes = Buffer.from(texts.join(end) + (random.below(2) === 0 ? "\n" : ""));
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + random.below(5);
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
    // The mark at the very beginning of an input says nothing.
    const expected = texts.map((text, index) => ({
      number: index + 1,
      text: index === 0 ? text.replace(/^\uFEFF/, "") : text,
    }));
    expect(await linesOf(Readable.from(pieces))).toEqual(expected);
  }
});

test("a line over the limit is named and not held", async () => {
  const input = Readable.from(["short\n", "l".repeat(60), "l".repeat(60), "\nnext\n", "e".repeat(101)]);
  expect(await linesOf(input)).toEqual([
    { number: 1, text: "short" },
    { number: 2, text: undefined },
    { number: 3, text: "next" },
    { number: 4, text: undefined },
  ]);
});

test("a signal ends the wait", async () => {
  const input = new PassThrough();
  const ending = new AbortController();
  input.write("first\nhalf");
  const lines = readLines(input, { charactersMax: 100, signal: ending.signal });
  expect(await lines.next()).toEqual({ done: false, value: { number: 1, text: "first" } });
  const next = lines.next();
  ending.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
