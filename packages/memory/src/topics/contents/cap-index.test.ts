/** Both caps of the index, and what is said where they cut. */
import { expect, test } from "vitest";
import { capIndex } from "./cap-index.ts";

const lines = (count: number, length: number) => Array.from({ length: count }, () => "x".repeat(length)).join("\n");

test("what fits stays as it is", () => {
  expect(capIndex("\n# Memory\n- a\n")).toEqual({ text: "# Memory\n- a" });
  expect(capIndex(lines(200, 100)).warning).toBeUndefined();
  expect(capIndex("x".repeat(25_000)).warning).toBeUndefined();
});

test("347 short lines", () => {
  const { text, warning } = capIndex(lines(347, 10));
  expect(text.split("\n")).toHaveLength(200);
  expect(warning).toMatch(/Cap: lines \(200\)\. The whole file has 347 lines and 3,816 bytes/);
});

test("190 lines of 1,000 characters", () => {
  const { text, warning } = capIndex(lines(190, 1_000));
  expect(text).toBe(lines(24, 1_000));
  expect(warning).toMatch(/Cap: bytes \(25,000\)\. The whole file has 190 lines and 190,189 bytes/);
});

test("400 lines of 1,000 characters", () => {
  const { text, warning } = capIndex(lines(400, 1_000));
  expect(text).toBe(lines(24, 1_000));
  expect(warning).toMatch(
    /Cap: both lines \(200\) and bytes \(25,000\)\. The whole file has 400 lines and 400,399 bytes/,
  );
});

test("one line of 30,000 bytes is cut between two characters", () => {
  expect(capIndex("x".repeat(30_000))).toMatchObject({
    text: "x".repeat(25_000),
    warning: expect.stringMatching(/Cap: bytes/),
  });
  const { text } = capIndex("x".repeat(24_999) + "é".repeat(3_000));
  expect(text).toBe("x".repeat(24_999));
  expect(capIndex("日".repeat(10_000)).text).toBe("日".repeat(8_333));
});

test("a line that ends at the cap is whole", () => {
  expect(capIndex(`${"x".repeat(25_000)}\nrest`).text).toBe("x".repeat(25_000));
});
