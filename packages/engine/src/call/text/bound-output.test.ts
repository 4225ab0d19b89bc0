import { expect, test } from "vitest";
import { boundOutput } from "./bound-output.ts";

test("what fits stays as it is", () => {
  expect(boundOutput("a\nb", 10)).toBe("a\nb");
});

test("head and tail stay, the middle says how much is missing", () => {
  const text = `${"a\n".repeat(50)}${"z\n".repeat(50)}`;
  expect(boundOutput(text, 10)).toBe("a\na\na\n\n[… 190 characters left out …]\nz\nz\n");
});

test("a long line is shortened in its middle", () => {
  const bounded = boundOutput(`x${"y".repeat(5000)}z\nshort`, 50_000);
  expect(bounded).toBe(`x${"y".repeat(999)}[… 3002 characters …]${"y".repeat(999)}z\nshort`);
});

test("a cut never parts a surrogate pair", () => {
  const bounded = boundOutput("😀".repeat(100), 21);
  expect(bounded.isWellFormed()).toBe(true);
});
