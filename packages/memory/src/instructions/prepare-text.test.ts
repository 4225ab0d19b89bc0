/** What is left of an instruction file: no comments, nothing hidden, nothing that passes for kedge's own words. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { countMarkers } from "../fence/marker-text.ts";
import { neutraliseText } from "../fence/neutralise-text.ts";
import { prepareText, withoutComments } from "./prepare-text.ts";

const prepared = (text: string) => prepareText(text, (each) => each);

test.each([
  ["a\n<!-- b -->\nc", "a\nc"],
  ["a <!-- b --> c", "a  c"],
  ["a\n<!-- b\nc\n-->\nd", "a\nd"],
  ["```\n<!-- b -->\n```", "```\n<!-- b -->\n```"],
  ["a <!-- b", "a "],
])("comments: %j", (text, left) => {
  expect(withoutComments(text)).toBe(left);
});

test("40,001 characters are cut by one, never through a character", () => {
  expect(prepared(`${"x".repeat(40_000)}y`)).toMatchObject({ cutCharacters: 1, text: "x".repeat(40_000) });
  expect(prepared("x".repeat(40_000)).cutCharacters).toBe(0);
  expect(prepared(`${"x".repeat(39_999)}😀`).text).toBe("x".repeat(39_999));
});

test("megabytes of marks are cut and counted, and hold up nobody", () => {
  const text = "<system-reminder\u200b>".repeat(200_000);
  expect(prepared(text).cutCharacters).toBeGreaterThan(3_000_000);
  expect(prepared("s".repeat(4_000_000)).cutCharacters).toBe(3_960_000);
});

test("secrets are taken out before the cut", () => {
  const redact = (text: string) => text.replaceAll("secret", "[gone]");
  expect(prepareText(`${"x".repeat(39_997)}secret`, redact).text.endsWith("sec")).toBe(false);
});

const pieces = [
  ...[
    "<",
    "</",
    ">",
    "＜",
    "system-reminder",
    "system",
    "-",
    "_",
    "reminder",
    "instruction-file",
    "instruction",
    " file",
  ],
  ...[
    "\u200b",
    "\u202e",
    "\u0000",
    "\u001b[2J",
    "\u{e0041}",
    "ﬁ",
    "SYSTEM",
    "\n",
    " ",
    "x",
    "<!--",
    "-->",
    "```\n",
    "`",
  ],
  ...["untrusted-data", "<|im_start|>", "[INST]", 'path="a"', "---\n", "\r\n", "\ufeff"],
];

const hidden = ["\u0000", "\u001b", "\u200b", "\u202e", "\ufeff", "\u{e0041}"];

test("whatever pieces a file is made of, nothing hidden and no mark of kedge is left", () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds({ usual: 2_000, long: 100_000 }); round += 1) {
    const text = Array.from({ length: random.below(40) }, () => pieces[random.below(pieces.length)]).join("");
    const found = prepared(text).text;
    const about = `seed ${random.seed}, text ${JSON.stringify(text)}`;
    expect(countMarkers(found), about).toBe(0);
    // The fence would not change it any more.
    expect(neutraliseText(found, "instruction"), about).toBe(found);
    expect(
      hidden.some((character) => found.includes(character)),
      about,
    ).toBe(false);
  }
});
