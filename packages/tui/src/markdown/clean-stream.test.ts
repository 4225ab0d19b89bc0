import { createSeededRandom } from "@kedge/testing";
import { expect, it } from "vitest";
import { cleanText } from "../screen/clean-text.ts";
import { createCleanStream } from "./clean-stream.ts";

it("cleans pieces as it would clean the whole", () => {
  const random = createSeededRandom();
  const parts = [
    "\u001b",
    "\u001b[",
    "\u001b]",
    "\u001bP",
    "\u009b",
    "\u009d",
    "\u0007",
    "\u001b\\",
    "\u009c",
    "0;1",
    "m",
    "text",
    "\r",
    "\n",
    "\t",
    " ",
    "(",
    "\ud83d\udc69",
    "\u200b",
    "\u{e0041}",
    "]",
    "\\",
    "B",
  ];
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: random.below(20) }, () => parts[random.below(parts.length)]).join("");
    const stream = createCleanStream();
    let cleaned = "";
    for (let from = 0; from < text.length; ) {
      const size = 1 + random.below(3);
      cleaned += stream.push(text.slice(from, from + size));
      from += size;
    }
    cleaned += stream.end();
    expect(cleaned, `seed ${random.seed}: ${JSON.stringify(text)}`).toBe(cleanText(text));
  }
});

it("holds back what may be a sequence, and not for ever", () => {
  const stream = createCleanStream();
  expect([stream.push("a\u001b]0;ti"), stream.push("tle"), stream.push("\u0007b\r"), stream.push("c")]).toEqual([
    "a",
    "",
    "b",
    "\nc",
  ]);
  const flood = "x".repeat(3000);
  expect([stream.push(`\u001b]${flood}`), stream.push(flood)]).toEqual(["", flood + flood]);
});
