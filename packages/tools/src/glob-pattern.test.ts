import { expect, test } from "vitest";
import { parseGlob } from "./glob-pattern.ts";

test.each([
  ["*.ts", "", ["a.ts", "x/y/a.ts", ".ts"], ["a.tsx", "a.ts/b"]],
  ["**/*.ts", "", ["a.ts", "x/a.ts"], ["a.js"]],
  ["src/**/*.ts", "src", ["a.ts", "x/y/a.ts"], ["a.js"]],
  ["src/*/a?.ts", "src", ["x/ab.ts"], ["ab.ts", "x/y/ab.ts", "x/a.ts"]],
  ["./src/x[0-9].ts", "src", ["x1.ts"], ["xa.ts"]],
  ["[!a]*.ts", "", ["b.ts", "x/b.ts"], ["a.ts"]],
  ["*.{ts,js}", "", ["a.ts", "a.js"], ["a.css"]],
  ["a+(b).{ts", "", ["a+(b).{ts"], ["aab.ts"]],
  ["/etc/*", "/etc", ["passwd"], ["x/passwd"]],
  ["/*", "/", ["etc"], ["etc/passwd"]],
  ["src/**", "src", ["a", "x/a"], []],
])("%s", (pattern, base, matching, others) => {
  const glob = parseGlob(pattern);
  expect(glob.base).toBe(base);
  expect(matching.filter((path) => !glob.matches(path))).toEqual([]);
  expect(others.filter((path) => glob.matches(path))).toEqual([]);
});
