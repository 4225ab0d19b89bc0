import { expect, test } from "vitest";
import { type Complete, createCompletion } from "./completion.ts";
import { type CompletionQuestion, completedText, completionQuestion } from "./completion-question.ts";

test.each<readonly [string, CompletionQuestion | undefined]>([
  ["/", { kind: "command", text: "", start: 0 }],
  ["/mo", { kind: "command", text: "mo", start: 0 }],
  ["/model gpt", { kind: "command", text: "model gpt", start: 0 }],
  [" /mo", undefined],
  ["a\n/mo", undefined],
  ["@", { kind: "file", text: "", start: 0 }],
  ["see @src/a", { kind: "file", text: "src/a", start: 4 }],
  ["see (@src", { kind: "file", text: "src", start: 5 }],
  ['see @"my dir/a', { kind: "file", text: "my dir/a", start: 4 }],
  ["漢字 @文", { kind: "file", text: "文", start: 3 }],
  ["me@example", undefined],
  ["@a b", undefined],
  ["/do @x", { kind: "file", text: "x", start: 4 }],
  ["# note", undefined],
  ["!ls", undefined],
  ["$x", undefined],
])("%j asks", (text, question) => {
  expect(completionQuestion(text, text.length)).toEqual(question);
});

test("an answer takes the place of the question", () => {
  const file: CompletionQuestion = { kind: "file", text: "s", start: 0 };
  expect(completedText({ kind: "command", text: "m", start: 0 }, { value: "model", label: "" })).toBe("/model ");
  expect(completedText(file, { value: "src/", label: "" })).toBe("@src/");
  expect(completedText(file, { value: "src/a.ts", label: "" })).toBe("@src/a.ts ");
  expect(completedText(file, { value: "my dir/", label: "" })).toBe('@"my dir/');
  expect(completedText(file, { value: "my file.ts", label: "" })).toBe('@"my file.ts" ');
});

/** Questions that are answered by hand. */
function setUp() {
  const asked: {
    readonly text: string;
    readonly signal: AbortSignal;
    answer(values: readonly string[]): void;
    fail(error: Error): void;
  }[] = [];
  const complete: Complete = ({ text }, signal) =>
    new Promise((resolve, reject) => {
      const answer = (values: readonly string[]) => resolve(values.map((value) => ({ value, label: value })));
      asked.push({ text, signal, answer, fail: reject });
    });
  const failures: string[] = [];
  let changes = 0;
  const completion = createCompletion({
    complete,
    onChange: () => (changes += 1),
    onFailure: (text) => failures.push(text),
  });
  return { asked, completion, failures, changes: () => changes };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("typing aborts the older question, whose answer is not shown", async () => {
  const { asked, completion } = setUp();
  completion.update("/m", 2);
  completion.update("/mo", 3);
  completion.update("/mo", 3);
  expect(asked.map(({ text, signal }) => [text, signal.aborted])).toEqual([
    ["m", true],
    ["mo", false],
  ]);
  asked[0]?.answer(["memory"]);
  await settled();
  expect(completion.popup()).toBe(undefined);
  asked[1]?.answer(["model"]);
  await settled();
  expect(completion.popup()?.items).toEqual([{ value: "model", label: "model" }]);
});

test("the last answer stays while the next is awaited, and says that it is old", async () => {
  const { asked, completion } = setUp();
  completion.update("/m", 2);
  asked[0]?.answer(["memory", "model"]);
  await settled();
  completion.select(-1);
  expect([completion.popup()?.selected, completion.popup()?.isCurrent]).toEqual([1, true]);
  completion.update("/mo", 3);
  expect(completion.popup()?.isCurrent).toBe(false);
  completion.update("no", 2);
  expect([completion.popup(), asked[1]?.signal.aborted]).toEqual([undefined, true]);
});

test("dismissed at one place, it opens at another", async () => {
  const { asked, completion } = setUp();
  completion.update("@a", 2);
  completion.dismiss("@a", 2);
  completion.update("@ab", 3);
  expect(asked.length).toBe(1);
  completion.update("@ab @", 5);
  expect(asked.map(({ text }) => text)).toEqual(["a", ""]);
});

test("a failed question is told, an aborted one is not", async () => {
  const { asked, completion, failures } = setUp();
  completion.update("/a", 2);
  completion.update("/ab", 3);
  asked[0]?.fail(new Error("gone"));
  asked[1]?.fail(new Error("no connection"));
  await settled();
  expect(failures).toEqual(["Could not load completions: no connection"]);
});
