/** Which colour each character is printed in. */
import { textBeside } from "@kedge/protocol/text-file";
import type { InkStyle } from "./shape.ts";
import { isTagLine, isToolResultLine } from "./tags.ts";

const paper = 0xffffff;
const black = 0x000000;
const grey = 0x767676;
/** Dark enough to be read on white, and far from each other. */
const hues = [0xb00000, 0x0000c8, 0x006400, 0x800080, 0x8a4b00, 0x006a6a] as const;

const plainInk = 1;
const dimInk = 2;
const firstHue = 3;

/** Paper is the first colour. */
export function paletteOf(style: InkStyle): readonly number[] {
  switch (style) {
    case "black":
      return [paper, black];
    case "dim":
      return [paper, black, grey];
    case "sentence":
    case "sentence-dim":
      return [paper, black, grey, ...hues];
  }
}

/** An index into the palette for each unit of the text, whose lines begin with tags. */
export function inksOf(text: string, style: InkStyle): Uint8Array {
  const inks = new Uint8Array(text.length).fill(plainInk);
  if (style === "black") return inks;
  if (style !== "dim") paintSentences(text, inks);
  if (style !== "sentence") paintStopWords(text, inks);
  paintToolResults(text, inks);
  return inks;
}

function paintSentences(text: string, inks: Uint8Array): void {
  let at = 0;
  for (const [index, sentence] of text.split(/(?<=[.!?] |\n)/).entries()) {
    inks.fill(firstHue + (index % hues.length), at, at + sentence.length);
    at += sentence.length;
  }
}

function paintStopWords(text: string, inks: Uint8Array): void {
  // Our own file, a list of words in lower case.
  const words = new Set(JSON.parse(textBeside(import.meta.url, "./stop-words.json")) as readonly string[]);
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    if (words.has(word.toLowerCase())) inks.fill(dimInk, index, index + word.length);
  }
}

function paintToolResults(text: string, inks: Uint8Array): void {
  let at = 0;
  let isResult = false;
  for (const line of text.split("\n")) {
    if (isTagLine(line)) isResult = isToolResultLine(line);
    if (isResult) inks.fill(dimInk, at, at + line.length + 1);
    at += line.length + 1;
  }
}
