import { expect, test } from "vitest";
import { createRandomBytes } from "./random-bytes.ts";

test("pieces have the wanted size and no two of them are equal, across the border of the pool too", () => {
  const randomBytes = createRandomBytes();
  const pieces = Array.from({ length: 1000 }, () => randomBytes(16));
  expect(pieces.every((piece) => piece.length === 16)).toBe(true);
  expect(new Set(pieces.map((piece) => piece.toString("hex"))).size).toBe(pieces.length);
  expect(randomBytes(10_000)).toHaveLength(10_000);
});
