/** A word that may expand to an option or a further operand is never free where that acts, and is where it does not. */
import { createSeededRandom, rounds } from "@kedge/testing";
import { expect, test } from "vitest";
import { createArithmeticCommands } from "./generate-arithmetic.ts";
import { createWordCommands } from "./generate-words.ts";
import { isFree } from "./is-free.ts";

const casesCount = rounds({ usual: 1_500, long: 50_000 });

function found(make: () => string, isWrong: (command: string) => boolean): readonly string[] {
  const commands = new Set(Array.from({ length: casesCount }, make));
  return [...commands].filter(isWrong);
}

test("no command is free whose word may become an option or operand that acts", () => {
  const { acting } = createWordCommands(createSeededRandom());
  expect(found(acting, isFree)).toEqual([]);
});

test("words that stay what they are keep commands free", () => {
  const { harmless } = createWordCommands(createSeededRandom());
  expect(found(harmless, (command) => !isFree(command))).toEqual([]);
});

test("no command is free that evaluates what others have put there", () => {
  const { unsafe } = createArithmeticCommands(createSeededRandom());
  expect(found(unsafe, isFree)).toEqual([]);
});

test("arithmetic with numbers is free", () => {
  const { safe } = createArithmeticCommands(createSeededRandom());
  expect(found(safe, (command) => !isFree(command))).toEqual([]);
});

test("names that find hands over at once are further operands", () => {
  const acting = ["uniq", "uniq -c", "xxd", "xxd -p", "git config", "tar"];
  expect(acting.filter((program) => isFree(`find src -type f -exec ${program} {} +`))).toEqual([]);
  const looking = ["grep -n a", "cat", "wc -l", "head -5", "sort", "jq .", "sed -n 1p", "stat -c %s"];
  expect(looking.filter((program) => !isFree(`find src -type f -exec ${program} {} +`))).toEqual([]);
});
