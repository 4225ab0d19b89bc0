import { expect, test } from "vitest";
import { parseChoice, questionnaireHint, questionnaireText } from "./questionnaire.ts";

const options = [
  { label: "red", description: "warm" },
  { label: "blue", description: "" },
];
const one = { question: "Which\u001b[31m?", options };
const several = { ...one, multiSelect: true };

test("a question is shown with its options, and cannot steer the terminal", () => {
  expect(questionnaireText(one)).toMatch(/^\? Which.*\?\n {2}1 red - warm\n {2}2 blue\n$/);
  expect(questionnaireText(one)).not.toContain("\u001b");
  expect(questionnaireHint(several)).toBe("  1-2, comma-separated for several, or your own answer: ");
});

test.each([
  ["1", one, "red"],
  ["2", one, "blue"],
  ["1,2", one, "1,2"],
  ["1, 2", several, "red, blue"],
  ["3", one, "3"],
  ["something else", one, "something else"],
  ["  ", one, undefined],
])("%j answers %j with %j", (line, question, answer) => {
  expect(parseChoice(line, question)).toBe(answer);
});
