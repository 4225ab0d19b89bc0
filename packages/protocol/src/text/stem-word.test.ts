import { expect, test } from "vitest";
import { stemWord } from "./stem-word.ts";

test.each([
  [["create", "creates", "created", "creating"], "creat"],
  [["translate", "translation", "translating", "translator"], "translat"],
  [["directory", "directories"], "directori"],
  [["notify", "notifies", "notified"], "notifi"],
  [["plan", "plans", "planned", "planning"], "plan"],
] as const)("forms of one word have one stem: %j", (words, stem) => {
  expect(words.map(stemWord)).toEqual(words.map(() => stem));
});

test("short words, numbers and other scripts stay as they are", () => {
  expect(["is", "v2", "über", "数据"].map(stemWord)).toEqual(["is", "v2", "über", "数据"]);
});
