/** Which words of a text include a file, and where they lead. */
import { expect, test } from "vitest";
import { findIncludes, isIncludable } from "./includes.ts";

const pathsIn = (text: string) => findIncludes(text, { directory: "/p/d", home: "/h" }).map(({ path }) => path);

test.each([
  ["See @a.md.", ["/p/d/a.md"]],
  ["@./a.md, @../b.md; (@c.md)", ["/p/d/a.md", "/p/b.md"]],
  ["@~/a.md and @/etc/a.md!", ["/h/a.md", "/etc/a.md"]],
  ["write to me@example.com or git@github.com:a/b.git", []],
  ["`@a.md` and ``x ` @b.md`` but @c.md", ["/p/d/c.md"]],
  ["an odd ` here @a.md", ["/p/d/a.md"]],
  ["```\n@a.md\n```\n@b.md", ["/p/d/b.md"]],
  ["~~~~\n@a.md\n~~~\n@x.md\n~~~~\n@b.md", ["/p/d/b.md"]],
  ["@a.md twice @a.md", ["/p/d/a.md"]],
  ['"@a.md"', []],
  ["@my\\ notes.md and @b.md", ["/p/d/my notes.md", "/p/d/b.md"]],
  ["@a.md#style, @b.c#", ["/p/d/a.md", "/p/d/b.c"]],
  ['read @a.md"]', ["/p/d/a.md"]],
])("%s", (text, paths) => {
  expect(pathsIn(text)).toEqual(paths);
});

test("only kinds of text files are included, of which there are more than a hundred", () => {
  expect(["a.md", "a.TS", "b/Makefile", "x.toml"].map(isIncludable)).toEqual([true, true, true, true]);
  expect(["a.png", "a", ".env", "id_rsa", "a.pem"].map(isIncludable)).toEqual([false, false, false, false, false]);
});

test("a text made of marks takes bounded work", () => {
  expect(pathsIn(`@${"`".repeat(20_000)} ${"`a".repeat(20_000)} @${")".repeat(40_000)}`)).toEqual([]);
});
