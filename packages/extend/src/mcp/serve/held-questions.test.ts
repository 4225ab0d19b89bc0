/** Proves that a question is answered once, and that one without an answer ends by itself. */
import { expect, test } from "vitest";
import { createHeldQuestions } from "./held-questions.ts";

function open() {
  const due: { readonly work: () => void; readonly delayMs: number; isOff: boolean }[] = [];
  let words = 0;
  const questions = createHeldQuestions<string>({
    randomWord: () => `word-${++words}`,
    later(work, delayMs) {
      const entry = { work, delayMs, isOff: false };
      due.push(entry);
      return () => {
        entry.isOff = true;
      };
    },
  });
  return { questions, due };
}

test("whoever knows the word gets the question once, and its time is called off", () => {
  const { questions, due } = open();
  const expired: string[] = [];
  const word = questions.hold("first", () => expired.push("first"));
  expect(questions.take("another")).toBeUndefined();
  expect([questions.take(word), questions.take(word)]).toEqual(["first", undefined]);
  expect(due.map(({ isOff }) => isOff)).toEqual([true]);
  for (const { work } of due) work();
  expect(expired).toEqual([]);
});

test("after ten minutes nobody waits any more", () => {
  const { questions, due } = open();
  const expired: string[] = [];
  const word = questions.hold("first", () => expired.push("first"));
  for (const { work } of due) work();
  expect([due[0]?.delayMs, expired, questions.take(word)]).toEqual([600_000, ["first"], undefined]);
});
