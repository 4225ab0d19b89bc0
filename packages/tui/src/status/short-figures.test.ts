/** Proves how figures read in small places. */
import { expect, test } from "vitest";
import { countText, durationText, moneyText } from "./short-figures.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [999.7, "1.0k"],
  [1_000, "1.0k"],
  [1_299, "1.2k"],
  [9_999, "9.9k"],
  [10_000, "10k"],
  [999_999, "999k"],
  [1_000_000, "1.0M"],
  [12_340_000, "12.3M"],
])("%d counts as %s", (count, text) => {
  expect(countText(count)).toBe(text);
});

test.each([
  [-5, "0 s"],
  [999, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 m 0 s"],
  [192_000, "3 m 12 s"],
  [3_600_000, "1 h 0 m"],
  [90_000_000, "25 h 0 m"],
])("%d ms last %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0, "$0"],
  [0.00001, "$0.0000"],
  [0.0421, "$0.0421"],
  [0.1, "$0.10"],
  [12.345, "$12.35"],
])("%d dollars read %s", (usd, text) => {
  expect(moneyText(usd)).toBe(text);
});

test.each([undefined, null, "7", {}, [], Number.NaN, Number.POSITIVE_INFINITY])("%j is no figure", (value) => {
  // What a server sends has no type.
  const wrong = value as number;
  expect([countText(wrong), durationText(wrong), moneyText(wrong)]).toEqual(["", "", ""]);
});
