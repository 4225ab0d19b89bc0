/** What is recorded of a lesson that was kept, and that a disk without room for it is no failure. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptySession, type FactOf, runWithoutSteps } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRunLessons } from "./run-lessons.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-lessons-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const failure = { code: "server_error", message: "Overloaded, says hunter2.", retryable: true } as const;
const ended: FactOf<"run.ended"> = {
  type: "run.ended",
  runId: "run_1",
  ...runWithoutSteps("error_during_execution", "", failure),
};

function learnAt(path: string, { fact = ended, ofAnswers = false } = {}) {
  const state = emptySession("ses_1");
  state.step = { runId: "run_1", stepId: "stp_1", model: "m", answered: false, progress: [] };
  const redact = (text: string) => text.replaceAll("hunter2", "[x]");
  return createRunLessons({ path, now: () => 0, newId: () => "msg_1", redact, ofAnswers }).learn(state, fact);
}

test("the fact has what the file has, without secrets", async () => {
  const path = join(directory, "project", "lessons.jsonl");
  const lesson = { outcome: "failed", lesson: "Overloaded, says [x]." };
  expect(await learnAt(path)).toEqual({ type: "memory.lesson_extracted", id: "les_1", ...lesson });
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ lesson_id: "les_1", session_id: "ses_1", ...lesson });
});

test("where nothing can be written there is no lesson and no failure", async () => {
  writeFileSync(join(directory, "file"), "");
  expect(await learnAt(join(directory, "file", "lessons.jsonl"))).toBe(undefined);
});

test("a run that only answered is remembered where somebody talks to it", async () => {
  const path = join(directory, "lessons.jsonl");
  const fact: typeof ended = { type: "run.ended", runId: "run_1", ...runWithoutSteps("completed", "Yes.") };
  expect(await learnAt(path, { fact })).toBe(undefined);
  expect(await learnAt(path, { fact, ofAnswers: true })).toMatchObject({
    ...{ outcome: "succeeded", lesson: "Succeeded in 1 step without tools." },
  });
});
