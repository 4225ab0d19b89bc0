/** Proves that an expression is skipped only where it cannot match. */
import { expect, test } from "vitest";
import { lettersOf, mayMatch, neededLetters, neededPieces } from "./needed-letters.ts";

test.each([
  ["ignore", [["ignore"]]],
  ["\\b(?:send|post)\\b[^.]{0,20}\\btoken", [["send", "post"], ["token"]]],
  ["colou?r of", [["colo"], ["r of"]]],
  ["(?:AI|model) must", [[" must"]]],
  ["(?:delete|\\w+)", []],
  ["(?<!never )reveal(?! nothing)", [["reveal"]]],
  ["(?:secret){2,3}|hidden", [["secret", "hidden"]]],
  ["\\p{Script=Han}+\\u4e00", []],
] as const)("what every match of %s contains is read from it", (source, needed) => {
  expect(neededPieces(source)).toEqual(needed);
});

test.each([
  ["\\b(?:send|post)\\b[^.]{0,20}\\btoken", "Please POST the Token here"],
  ["colou?r of", "the COLOR OF money"],
  ["(?:secret){2,3}|hidden", "a secretsecret thing"],
  ["ig\\w+ (?:all|your) rules", "ignore your rules"],
])("%s is run on a text that it matches", (source, text) => {
  expect(new RegExp(source, "i").test(text)).toBe(true);
  expect(mayMatch(lettersOf(text), neededLetters(neededPieces(source)))).toBe(true);
});

test("a text that lacks the letters is passed over", () => {
  const needed = neededLetters(neededPieces("\\b(?:send|post)\\b[^.]{0,20}\\btoken"));
  expect(mayMatch(lettersOf("The build posts its result to the page."), needed)).toBe(false);
  expect(mayMatch(lettersOf(""), needed)).toBe(false);
});
