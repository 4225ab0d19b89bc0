/** Which paths a pattern is about, as git ignores files. */
import { expect, test } from "vitest";
import { matchesPatterns } from "./path-patterns.ts";

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/deep/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/*.ts", "x/src/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/b/c/a.ts", true],
  ["**/*.py", "a.py", true],
  ["src/**", "src/a/b", true],
  ["src/**", "src", false],
  ["src/", "src/a.ts", true],
  ["/a.ts", "a.ts", true],
  ["/a.ts", "b/a.ts", false],
  ["docs", "x/docs/y.md", true],
  ["src/*.{ts,tsx}", "src/a.tsx", true],
  ["a?.ts", "ab.ts", true],
  ["[ab].ts", "c.ts", false],
  ["[!ab].ts", "c.ts", true],
  ["[a-c].ts", "b.ts", true],
  ["./src/a.ts", "src/a.ts", true],
  ["*", "../outside.ts", false],
  ["a[.ts", "a[.ts", true],
])("%s and %s: %s", (pattern, path, expected) => {
  expect(matchesPatterns(path, [pattern])).toBe(expected);
});

test("a later pattern takes back what an earlier one took", () => {
  expect(matchesPatterns("src/a.test.ts", ["src/**", "!**/*.test.ts"])).toBe(false);
  expect(matchesPatterns("src/a.ts", ["src/**", "!**/*.test.ts"])).toBe(true);
});

test("patterns that try every way take bounded work", () => {
  const path = `${"a/".repeat(500)}${"a".repeat(250)}`;
  for (const pattern of ["*a".repeat(200), "**/".repeat(150), `{${"a,".repeat(100)}}`.repeat(2), "{a,b}".repeat(50)]) {
    expect(matchesPatterns(path, [`${pattern}x`])).toBe(false);
  }
});
