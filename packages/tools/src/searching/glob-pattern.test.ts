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
  ["{src/a,test}/*.ts", "", ["src/a/x.ts", "test/x.ts"], ["src/x.ts"]],
  ["x/[z-a]?.ts", "x", [], ["za.ts"]],
  ["x/[!z-a].ts", "x", ["q.ts"], ["qq.ts"]],
  ["**/**/*.ts", "", ["a.ts", "x/y/a.ts"], ["a.js"]],
])("%s", (pattern, base, matching, others) => {
  const glob = parseGlob(pattern);
  expect(glob.base).toBe(base);
  expect(matching.filter((path) => !glob.matches(path))).toEqual([]);
  expect(others.filter((path) => glob.matches(path))).toEqual([]);
});

test.each([
  ["*.ts", { nameGlob: "*.ts", depth: undefined }],
  ["src/*/a*.{ts,js}", { nameGlob: "a*.{ts,js}", depth: 2 }],
  ["src/*", { nameGlob: undefined, depth: 1 }],
  ["src/**/x?.ts", { nameGlob: undefined, depth: undefined }],
  ["src/[ab].ts", { nameGlob: undefined, depth: 1 }],
  ["x/{a,b/c}", { nameGlob: undefined, depth: undefined }],
])("%s tells ripgrep what it may leave out", (pattern, { nameGlob, depth }) => {
  const glob = parseGlob(pattern);
  expect([glob.nameGlob, glob.depth]).toEqual([nameGlob, depth]);
});

test("segments that are said to be literal belong to the base", () => {
  expect(parseGlob("app/[id]/*.ts", 2)).toMatchObject({ base: "app/[id]", depth: 1 });
});
