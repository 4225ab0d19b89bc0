/** Globs over whole strings: what they match, at which words, and that hostile input costs no more than its length. */
import { withPatience } from "@kedge/testing";
import { describe, expect, test } from "vitest";
import { matchGlob, matchGlobAtWords } from "./glob.ts";

describe("matchGlob", () => {
  test.each<[string, string, boolean]>([
    ["git status", "git status", true],
    ["git status", "git statusx", false],
    ["git status*", "git status", true],
    ["git status*", "git status --porcelain", true],
    ["git status*", "git statusx", true],
    ["git status *", "git status", true],
    ["git status *", "git status -s", true],
    ["git status *", "git statusx", false],
    ["git status *", "git status ", true],
    ["*", "", true],
    ["*", "a b/c\nd", true],
    ["", "", true],
    ["", "a", false],
    ["?", "", false],
    ["?", "a", true],
    ["?", "ab", false],
    ["?", "😀", true],
    ["a?c", "a😀c", true],
    ["*?", "😀", true],
    ["src/*.ts", "src/deep/down/a.ts", true],
    ["src/**", "src/a", true],
    ["src/*", "source/a", false],
    ["echo *; done", "echo a\nb; done", true],
    ["a.c", "abc", false],
    ["[ab]", "a", false],
    ["[ab]", "[ab]", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["*ab", "aab", true],
    ["*ab*", "xxaabx", true],
    ["A", "a", false],
    ["~/x", "/home/dev/x", false],
  ])("%j on %j is %s", (pattern, text, expected) => {
    expect(matchGlob(pattern, text)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ["~/code/*", "/home/dev/code/a", true],
    ["$HOME/code/*", "/home/dev/code/a", true],
    ["~", "/home/dev", true],
    ["~dev/x", "/home/dev/x", false],
    ["$HOMEX/x", "/home/dev/x", false],
    ["/home/dev/*", "~/x", true],
    ["a~", "a/home/dev", false],
  ])("with a home, %j on %j is %s", (pattern, text, expected) => {
    expect(matchGlob(pattern, text, { home: "/home/dev" })).toBe(expected);
  });

  test("ignores case only when told", () => {
    expect(matchGlob("Secrets/*", "SECRETS/a", { ignoreCase: true })).toBe(true);
    expect(matchGlob("Secrets/*", "SECRETS/a", { ignoreCase: false })).toBe(false);
  });
});

describe("matchGlobAtWords", () => {
  test.each<[string, string, boolean]>([
    ["rm *", "git status; rm -rf x", true],
    ["rm *", "git status;rm -rf x", true],
    ["rm *", "farm x", false],
    ["rm *", "git status; rm", true],
    ["git clean*", "bash -c 'git clean -fd'", true],
    ["git clean*", 'echo "$(git clean -fd)"', true],
    ["rm", "ls && rm", true],
    ["rm", "rm; ls", false],
    ["rm *x*y", "rm rm a x b y", true],
    ["rm *x*y", "rm a y x", false],
    ["~/bin/tool *", "sudo ~/bin/tool now", true],
    ["~/bin/tool *", "sudo /home/dev/bin/tool now", true],
    ["*curl*", "ls; curl x", true],
    ["r? *", "ls; rm x", true],
  ])("%j on %j is %s", (pattern, text, expected) => {
    expect(matchGlobAtWords(pattern, text, { home: "/home/dev" })).toBe(expected);
  });
});

/** Each of these takes minutes or for ever in a matcher that tries every split. */
test("hostile patterns and texts come to an end", () => {
  const many = "a".repeat(100_000);
  const words = "rm ".repeat(50_000);
  expect(withPatience(() => matchGlob(`${"*a".repeat(200)}b`, many))).toBe(false);
  expect(withPatience(() => matchGlob(`${"a*".repeat(200)}b`, many))).toBe(false);
  expect(withPatience(() => matchGlob(`${"*".repeat(5_000)}b`, many))).toBe(false);
  expect(withPatience(() => matchGlob(`${"?*".repeat(200)}b`, many))).toBe(false);
  expect(withPatience(() => matchGlobAtWords("rm *x*y*z", words))).toBe(false);
  expect(withPatience(() => matchGlobAtWords("rm *rm *rm *x", words))).toBe(false);
});
