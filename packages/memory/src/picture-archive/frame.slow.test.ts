/** Proves that frames are valid PNG files from which another reader gets the text back. */
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { createSeededRandom } from "@kedge/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { printArchive } from "./print-archive.ts";
import { shapeFor } from "./shape.ts";

type Read = { readonly width: number; readonly height: number; readonly colour: (x: number, y: number) => number };

/** Written for this test alone: it shares no code with the one that writes. */
function readPng(file: Uint8Array): Read {
  const bytes = Buffer.from(file);
  expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(checksum(bytes.subarray(at + 4, at + 8 + length)));
    chunks.set(name, bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
  const header = chunks.get("IHDR") ?? Buffer.alloc(13);
  const palette = chunks.get("PLTE") ?? Buffer.alloc(0);
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8] ?? 0];
  expect([...header.subarray(9)]).toEqual([3, 0, 0, 0]);
  const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  const stride = 1 + Math.ceil((width * depth) / 8);
  expect(rows.length).toBe(stride * height);
  const colour = (x: number, y: number) => {
    const bit = x * depth;
    const byte = rows[y * stride + 1 + (bit >> 3)] ?? 0;
    const index = (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
    return palette.readUIntBE(index * 3, 3);
  };
  return { width, height, colour };
}

function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** Pixel rows of every drawing in a font file, as text. */
function drawings(file: string): ReadonlyMap<string, string> {
  const glyphs = new Map<string, string>();
  for (const band of readFileSync(new URL(file, import.meta.url), "utf8")
    .trimEnd()
    .split("\n\n")) {
    const [names = "", ...rows] = band.split("\n");
    for (const [index, name] of names.trim().split(/\s+/).entries()) {
      const character = String.fromCodePoint(Number(`0x${name}`));
      glyphs.set(character, rows.map((row) => row.split(" ")[index]).join(""));
    }
  }
  const size = glyphs.get("A")?.length ?? 0;
  return glyphs.set(" ", ".".repeat(size));
}

type Geometry = {
  readonly font: string;
  readonly glyph: readonly [width: number, height: number];
  readonly cell: readonly [advance: number, pitch: number];
  /** The upper left pixel of the first drawing. */
  readonly origin: readonly [x: number, y: number];
  readonly columns: number;
};

const large = { font: "./font-7x13.txt", glyph: [7, 13] } as const;
const small = { font: "./font-5x8.txt", glyph: [5, 8] } as const;
const tiny = { font: "./font-4x8.txt", glyph: [4, 8] } as const;
const geometries: { readonly [shape: string]: Geometry } = {
  "11on16-bw": { ...large, cell: [11, 16], origin: [6, 5], columns: 141 },
  "8on22-bw": { ...large, cell: [8, 22], origin: [4, 8], columns: 195 },
  "8on16-bw": { ...large, cell: [8, 16], origin: [4, 5], columns: 195 },
  "8x13-bw": { ...large, cell: [8, 13], origin: [4, 4], columns: 195 },
  "6x12-dim": { ...small, cell: [6, 12], origin: [4, 6], columns: 260 },
  "8x8u": { ...small, cell: [8, 8], origin: [5, 4], columns: 195 },
  "5x8": { ...tiny, cell: [5, 8], origin: [4, 4], columns: 513 },
};

/** Finds the nearest drawing for each cell, after some pixels were turned over. */
function decode(png: Uint8Array, geometry: Geometry, isTurned: () => boolean): string {
  const { glyph, cell, origin, columns } = geometry;
  const image = readPng(png);
  const templates = [...drawings(geometry.font)].map(([character, text]) => ({ character, text }));
  const rows = Math.floor((image.height - 8) / cell[1]);
  let text = "";
  for (let place = 0; place < rows * columns; place += 1) {
    const left = origin[0] + (place % columns) * cell[0];
    const top = origin[1] + Math.floor(place / columns) * cell[1];
    let seen = "";
    for (let y = 0; y < glyph[1]; y += 1) {
      for (let x = 0; x < glyph[0]; x += 1) {
        seen += (image.colour(left + x, top + y) !== 0xffffff) !== isTurned() ? "#" : ".";
      }
    }
    text += nearest(seen, templates);
  }
  return text.trimEnd();
}

function nearest(seen: string, templates: readonly { readonly character: string; readonly text: string }[]): string {
  let best = { character: "", distance: Number.POSITIVE_INFINITY };
  for (const { character, text } of templates) {
    let distance = 0;
    for (let at = 0; at < seen.length && distance < best.distance; at += 1) if (seen[at] !== text[at]) distance += 1;
    if (distance < best.distance) best = { character, distance };
  }
  return best.character;
}

function rightShare(read: string, printed: string): number {
  // What was turned over behind the end is not text.
  let right = 0;
  for (let at = 0; at < printed.length; at += 1) if (read[at] === printed[at]) right += 1;
  return right / printed.length;
}

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

function randomText(length: number): string {
  let text = "";
  while (text.length < length) text += String.fromCharCode(0x20 + random.below(95));
  return text.replace(/ +/g, " ").trim();
}

const code = readFileSync(new URL("./pages.ts", import.meta.url), "utf8").trim();
const printedCode = code.replace(/ *\n\s*/g, "█").replace(/ +/g, " ");
const printOne = (history: string, name: string) => {
  const shape = shapeFor({ id: "claude-sonnet-4", provider: "anthropic" }, name);
  const { frames, tail } = printArchive({ history }, shape, { framesMax: 1, redact: (text) => text });
  expect({ frames: frames.length, tail }).toEqual({ frames: 1, tail: "" });
  return frames[0]?.png ?? new Uint8Array();
};

describe.each(Object.entries(geometries))("the shape %s", (name, geometry) => {
  test(`gives back any printable text (seed ${random.seed})`, () => {
    const text = randomText(4_000);
    expect(decode(printOne(text, name), geometry, () => false)).toBe(text);
  });

  test("gives back code, its line breaks as blocks", () => {
    expect(decode(printOne(code, name), geometry, () => false)).toBe(printedCode);
  });

  test(`gives back 99 of 100 characters with one pixel in a hundred turned over (seed ${random.seed})`, () => {
    const text = randomText(3_000);
    const read = decode(printOne(text, name), geometry, () => random.below(100) === 0);
    expect(rightShare(read, text)).toBeGreaterThanOrEqual(0.99);
  });
});

test("frames are as tall as their rows and have the same bytes each time", () => {
  const shape = shapeFor({ id: "gemini-3-pro", provider: "google" });
  const print = (history: string) =>
    printArchive({ history }, shape, { framesMax: 8, redact: (text) => text }).frames.map(({ png, width, height }) => ({
      size: [width, height],
      read: [readPng(png).width, readPng(png).height],
      bytes: Buffer.from(png).toString("base64"),
    }));
  expect(print("one row")).toMatchObject([{ size: [2048, 30], read: [2048, 30] }]);
  expect(print("x".repeat(256))).toMatchObject([{ size: [2048, 52] }]);
  expect(print(code)).toEqual(print(code));
});

test("two columns keep words whole, and the second goes on where the first ends", () => {
  const shape = shapeFor({ id: "x", provider: "x" }, "doc-8on16-bw");
  const words = Array.from({ length: 97 * 8 + 3 }, (_, index) => `word${String(index).padStart(6, "0")}`);
  const { frames } = printArchive({ history: words.join(" ") }, shape, { framesMax: 1, redact: (text) => text });
  // 96 characters hold eight words of ten and their spaces; the second column begins three characters after them.
  const column = { ...large, cell: [8, 16], origin: [4, 5], columns: 195 } as const;
  const read = decode(frames[0]?.png ?? new Uint8Array(), column, () => false);
  const rows = Array.from({ length: 97 }, (_, row) => read.slice(row * 195, (row + 1) * 195).trimEnd());
  expect(rows[0]).toBe(`${words.slice(0, 8).join(" ")}${" ".repeat(99 - 87)}${words.slice(97 * 8).join(" ")}`);
  expect(rows.slice(1)).toEqual(rows.slice(1).map((_, row) => words.slice((row + 1) * 8, (row + 2) * 8).join(" ")));
});

test("a space that meets the end of a column is not printed", () => {
  const column = { ...large, cell: [8, 16], origin: [4, 5], columns: 195 } as const;
  const read = decode(printOne(`${"a".repeat(96)} ${"b".repeat(5)}`, "doc-8on16-bw"), column, () => false);
  expect(read).toBe(`${"a".repeat(96)}${" ".repeat(99)}bbbbb`);
});

test("tool output and stop words are grey where there is grey ink, and sentences differ in hue", () => {
  const inks = (name: string, history: string) => {
    const shape = shapeFor({ id: "x", provider: "x" }, name);
    const { frames } = printArchive({ history }, shape, { framesMax: 1, redact: (text) => text });
    const { colour, width, height } = readPng(frames[0]?.png ?? new Uint8Array());
    const seen = new Set<number>();
    for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) seen.add(colour(x, y));
    return [...seen].sort((left, right) => left - right).map((value) => value.toString(16));
  };
  expect(inks("6x12-dim", "[Tool Result]: out\nput")).toEqual(["767676", "ffffff"]);
  expect(inks("6x12-dim", "[Tool Result]: out\n[User]: run")).toEqual(["0", "767676", "ffffff"]);
  expect(inks("6x12-dim", "run this")).toEqual(["0", "767676", "ffffff"]);
  expect(inks("6x12-dim", "run tests")).toEqual(["0", "ffffff"]);
  expect(inks("11on16-bw", "[Tool Result]: this")).toEqual(["0", "ffffff"]);
  expect(inks("doc-8on16-sent", "One is this. Two. Three.")).toEqual(["6400", "c8", "b00000", "ffffff"].sort(byNumber));
  expect(inks("doc-8on16-sent-dim", "One is this.")).toEqual(["767676", "b00000", "ffffff"]);
});

const byNumber = (left: string, right: string) => Number.parseInt(left, 16) - Number.parseInt(right, 16);
