import { expect, test } from "vitest";
import {
  contrast,
  isDarkColor,
  luminance,
  nearestIndex,
  nearestTerminalIndex,
  parseHex,
  type Rgb,
  rgbOfIndex,
  towardBlue,
} from "./color.ts";

function hex(text: string): Rgb {
  const rgb = parseHex(text);
  if (rgb === undefined) throw new Error(`${text} is no colour`);
  return rgb;
}

function formatHex({ red, green, blue }: Rgb): string {
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

test.each([
  ["#abc", "#aabbcc"],
  ["#0A64fF", "#0a64ff"],
  ["#000", "#000000"],
])("%s is read as %s", (text, expected) => {
  expect(formatHex(hex(text))).toBe(expected);
});

test.each(["", "abc", "#ab", "#abcd", "#abcdeg", " #abc", "#abc\n"])("%j is no hex colour", (text) => {
  expect(parseHex(text)).toBeUndefined();
});

test.each([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#000000", 21],
  ["#777777", "#ffffff", 4.48],
  ["#ff0000", "#ffffff", 4],
  ["#123456", "#123456", 1],
])("the contrast of %s and %s is %d", (first, second, expected) => {
  expect(contrast(hex(first), hex(second))).toBeCloseTo(expected, 2);
});

test.each([
  ["#000000", true],
  ["#1e1e2e", true],
  ["#002b36", true],
  ["#ffffff", false],
  ["#fdf6e3", false],
  ["#00ff00", false],
])("%s is a dark page: %s", (page, expected) => {
  expect(isDarkColor(hex(page))).toBe(expected);
});

test("each of the 240 fixed colours is its own nearest one, or looks the same", () => {
  for (let index = 16; index < 256; index += 1) {
    expect(rgbOfIndex(nearestIndex(rgbOfIndex(index)))).toEqual(rgbOfIndex(index));
  }
});

test.each([
  [16, "#000000"],
  [21, "#0000ff"],
  [110, "#87afd7"],
  [196, "#ff0000"],
  [231, "#ffffff"],
  [232, "#080808"],
  [255, "#eeeeee"],
])("colour %d of 256 is %s", (index, expected) => {
  expect(formatHex(rgbOfIndex(index))).toBe(expected);
});

test.each([
  ["#f00505", 9],
  ["#c01010", 1],
  ["#ffffff", 15],
  ["#101010", 0],
  ["#808080", 8],
  ["#10c0c0", 6],
])("%s is nearest to colour %d of 16", (text, expected) => {
  expect(nearestTerminalIndex(hex(text))).toBe(expected);
});

test.each(["#86c48c", "#2c6f37", "#00ff00", "#063b0e"])("%s turned to blue is blue and as bright as before", (text) => {
  const moved = towardBlue(hex(text));
  expect(moved.blue).toBeGreaterThan(moved.green);
  expect(moved.green).toBeGreaterThan(moved.red);
  expect(luminance(moved)).toBeCloseTo(luminance(hex(text)), 1);
});
