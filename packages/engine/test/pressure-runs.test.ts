/** Whole runs under pressure: the reminder, the question about tests, the pause, and the same with nobody there. */
import { applyRecord, emptySession } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answerAll, bash, edit, openWorksite, story, type WorksiteOptions, working } from "./worksite.ts";

/** The one test fails for as long as anybody looks. */
const failing: NonNullable<WorksiteOptions["shell"]> = () => ({
  output: "FAILED tests/test_a.py::test_total - assert 3 == 42\nE       assert 3 == 42\n1 failed, 2 passed in 0.10s\n",
  exitCode: 1,
});

const pytest = bash("pytest -q");
const change = (value: number) => edit("a.py", `-x = ${value - 1}`, `+x = ${value}`);
const weaken = edit("tests/test_a.py", " def test_total():", "-    assert total() == 42", "+    pass");

const byMode = (call: string, permission: string) => `${call} allowed by mode: bypass mode allows ${permission}`;
const stepOf = (turn: number, call: string, permission: string) => [
  `step ${turn}`,
  "answered",
  byMode(call, permission),
  `${call} completed`,
];

const again = "tests/test_a.py > test_total failed again";
const elevated = {
  type: "pressure.changed",
  level: "elevated",
  score: 4,
  contributions: [
    { callId: "c3", weight: 2, why: again },
    { callId: "c5", weight: 2, why: again },
  ],
};
const toElevated = [
  "prompt: make it pass",
  ...stepOf(1, "c1", "bash"),
  ...stepOf(2, "c2", "edit"),
  ...stepOf(3, "c3", "bash"),
  ...stepOf(4, "c4", "edit"),
  ...stepOf(5, "c5", "bash"),
  elevated,
];
const diagnosis = { step: 6, reminders: [expect.stringMatching(/test_total failed again\.\nBefore the next edit/)] };
const aboutTests = "it edits tests or checks after several failed attempts to pass them";
const question = {
  callId: "c6",
  patterns: ["tests/test_a.py"],
  always: [],
  reason: aboutTests,
};
const answered = { answerTo: "c6", reply: "once", source: "user" };

const weakened = [
  ...elevated.contributions,
  { callId: "c6", weight: 4, why: "1 assertion removed" },
  {
    callId: "c6",
    weight: 3,
    why: "tests/test_a.py edited after a change of the implementation failed its test",
  },
];
const high = { type: "pressure.changed", level: "high", score: 11, contributions: weakened };
const toHigh = [
  ...toElevated,
  diagnosis,
  "answered",
  question,
  answered,
  "c6 allowed by user: allowed once",
  "c6 completed",
  high,
];
const pause = {
  type: "question.asked",
  requestId: "qst_1",
  callId: "c6",
  questions: [
    expect.objectContaining({
      question: expect.stringMatching(/^3 of the last 6 calls failed and the work does not converge/),
      options: ["Another approach", "Continue", "Stop"].map((label) => expect.objectContaining({ label })),
    }),
  ],
};

async function runUntilPause(answer: string) {
  const work = working(pytest, change(2), pytest, change(3), pytest, weaken, bash("git status"));
  const { harness } = openWorksite({ turns: work, shell: failing, interactive: true });
  const sessionId = await harness.open("bypass");
  const done = harness.prompt(sessionId, "make it pass");
  await answerAll(harness, sessionId, ["once"]);
  const { requestId } = await harness.waitForFact("question.asked");
  expect(harness.facts().at(-1)).toMatchObject({ type: "question.asked" });
  await harness.engine.send({ type: "question.answer", sessionId, requestId, answers: [answer] });
  await done;
  return story(harness.facts());
}

const answerOf = (answer: string) => ({ type: "question.answered", requestId: "qst_1", answers: [answer] });

test("interactive: a diagnosis is asked for, a weaker test needs a yes in any mode, and then the run pauses", async () => {
  expect(await runUntilPause("Another approach")).toEqual([
    ...toHigh,
    pause,
    answerOf("Another approach"),
    { type: "pressure.changed", level: "elevated", score: 5.5, contributions: weakened },
    { step: 7, reminders: [expect.stringContaining("wants another approach")] },
    "answered",
    byMode("c7", "bash"),
    "c7 completed",
    "step 8",
    "answered",
    { ended: "completed", denied: [], pressure: "elevated" },
  ]);
});

test("whoever wants it stopped ends the run", async () => {
  expect(await runUntilPause("Stop")).toEqual([
    ...toHigh,
    pause,
    answerOf("Stop"),
    { ended: "aborted", denied: [], pressure: "high" },
  ]);
});

test("whoever wants it continued is not asked again for the same rise", async () => {
  expect(await runUntilPause("Continue")).toEqual([
    ...toHigh,
    pause,
    answerOf("Continue"),
    ...stepOf(7, "c7", "bash"),
    "step 8",
    "answered",
    { ended: "completed", denied: [], pressure: "high" },
  ]);
});

test("own words at the pause reach the model as such", async () => {
  expect((await runUntilPause("leave the tests alone and ask Ada about it")).slice(-8, -6)).toEqual([
    { type: "pressure.changed", level: "elevated", score: 5.5, contributions: weakened },
    { step: 7, reminders: [expect.stringContaining("\nleave the tests alone and ask Ada about it\n")] },
  ]);
});

test("headless: tests are out of reach, nothing pauses, and the result carries the level", async () => {
  const more = [change(4), pytest, change(5), pytest, change(6), pytest];
  const turns = working(pytest, change(2), pytest, change(3), pytest, weaken, ...more);
  const { harness, ran } = openWorksite({ turns, shell: failing });
  const sessionId = await harness.open("bypass");
  await harness.prompt(sessionId, "make it pass");
  const contributions = ["c3", "c5", "c8", "c10", "c12"].map((callId) => ({ callId, weight: 2, why: again }));
  expect(story(harness.facts())).toEqual([
    ...toElevated,
    diagnosis,
    "answered",
    { call: "c6", refused: aboutTests, by: "headless" },
    ...stepOf(7, "c7", "edit"),
    ...stepOf(8, "c8", "bash"),
    ...stepOf(9, "c9", "edit"),
    ...stepOf(10, "c10", "bash"),
    ...stepOf(11, "c11", "edit"),
    ...stepOf(12, "c12", "bash"),
    { type: "pressure.changed", level: "high", score: 10, contributions },
    "step 13",
    "answered",
    { ended: "completed", denied: ["c6"], pressure: "high" },
  ]);
  expect(ran).not.toContain("tests/test_a.py");
  const state = emptySession(sessionId);
  const levels = new Set<string>();
  for await (const record of harness.store.read(sessionId, 0)) {
    applyRecord(state, record);
    levels.add(state.pressure);
  }
  expect([[...levels], state.pressure]).toEqual([["calm", "elevated", "high"], "calm"]);
  const told = harness.requests[6]?.messages.at(-1);
  expect(told).toMatchObject({ role: "tool", output: expect.stringContaining(`it did not run: ${aboutTests}.`) });
});

test("what the user says meanwhile eases", async () => {
  const turns = working(pytest, change(2), pytest, change(3), pytest, weaken);
  const { harness } = openWorksite({ turns, shell: failing, interactive: true });
  const sessionId = await harness.open("bypass");
  const done = harness.prompt(sessionId, "make it pass");
  await harness.waitForFact("permission.asked");
  await harness.submit(sessionId, "the test is right, the rounding in a.py is not");
  await answerAll(harness, sessionId, [{ rejectWith: "see there" }]);
  await done;
  expect(story(harness.facts())).toEqual([
    ...toElevated,
    diagnosis,
    "answered",
    question,
    "prompt: the test is right, the rounding in a.py is not",
    { ...answered, reply: "reject" },
    { call: "c6", refused: aboutTests, by: "user" },
    { type: "pressure.changed", level: "calm", score: 2, contributions: elevated.contributions },
    "step 7",
    "answered",
    { ended: "completed", denied: ["c6"] },
  ]);
});

test("the next run begins calm, and the monitor can be turned off", async () => {
  const turns = working(pytest, change(2), pytest, change(3), pytest);
  const levels = async (parts: WorksiteOptions["parts"] = {}) => {
    const { harness } = openWorksite({ turns: [...turns, ...working(weaken)], shell: failing, parts });
    const sessionId = await harness.open("bypass");
    await harness.prompt(sessionId, "make it pass");
    await harness.prompt(sessionId, "now the rest");
    return harness.facts().flatMap((fact): readonly object[] => {
      if (fact.type === "pressure.changed") return [{ level: fact.level }];
      return fact.type === "run.ended" ? [{ pressure: fact.pressure, denials: fact.denials.length }] : [];
    });
  };
  const calm = { pressure: undefined, denials: 0 };
  const elevatedAtEnd = { ...calm, pressure: "elevated" };
  expect(await levels()).toEqual([{ level: "elevated" }, elevatedAtEnd, { level: "elevated" }, elevatedAtEnd]);
  expect(await levels({ pressure: { enabled: false } })).toEqual([calm, calm]);
  expect(await levels({ pressure: { thresholds: { elevated: 5, high: 6 } } })).toEqual([calm, calm]);
});
