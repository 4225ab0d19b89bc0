/** Questions that nobody answers: refused after the time that the user set, or when somebody says that nobody will come. */
import { expect, test } from "vitest";
import { bash, openWorksite, story, working } from "./worksite.ts";

type Timer = { readonly work: () => void; readonly delayMs: number };

function openTimed(permissionTimeoutMs?: number) {
  const timers = new Set<Timer>();
  const { harness, ran } = openWorksite({
    turns: working(bash("make a"), bash("make a")),
    interactive: true,
    parts: {
      ...(permissionTimeoutMs !== undefined && { permissionTimeoutMs }),
      startTimer(work, delayMs) {
        const timer = { work, delayMs };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
  });
  return { harness, ran, timers };
}

const refusal = (callId: string) => [
  { answerTo: callId, reply: "reject", source: "timeout" },
  { call: callId, refused: "no rule covers make a", by: "headless" },
];

test("a question is refused when its time is over, the run goes on, and the same call is asked about again", async () => {
  const { harness, ran, timers } = openTimed(90_000);
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  for (const count of [1, 2]) {
    await harness.waitForFact("permission.asked", count);
    expect([...timers].map(({ delayMs }) => delayMs)).toEqual([90_000]);
    for (const { work } of timers) work();
    await harness.waitForFact("permission.answered", count);
  }
  await done;
  const told = story(harness.facts());
  expect([told.slice(4, 6), told.slice(9, 11), told.at(-1)]).toEqual([
    refusal("c1"),
    refusal("c2"),
    { ended: "completed", denied: ["c1", "c2"] },
  ]);
  const [ended] = harness.facts().filter((fact) => fact.type === "tool.ended");
  expect(ended?.output).toMatch(/^No answer within 90 seconds\.\nThis call needs the permission of a person/);
  expect([ran, timers.size]).toEqual([[], 0]);
});

test("an answer in time stops the clock, and without the setting there is none", async () => {
  for (const timeoutMs of [90_000, undefined]) {
    const { harness, ran, timers } = openTimed(timeoutMs);
    const sessionId = await harness.open();
    const done = harness.prompt(sessionId, "go");
    const { requestId } = await harness.waitForFact("permission.asked", 1);
    expect(timers.size).toBe(timeoutMs === undefined ? 0 : 1);
    await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "session" });
    await done;
    expect([ran, timers.size]).toEqual([["make a", "make a"], 0]);
  }
});

test("whoever knows that nobody will come ends the waiting, unless somebody was faster", async () => {
  const { harness, ran } = openTimed();
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked", 1);
  const [session] = harness.engine.openSessions();
  await session?.refuseUnanswered(requestId, "Nobody is there.");
  const second = await harness.waitForFact("permission.asked", 2);
  await harness.engine.send({ type: "permission.answer", sessionId, requestId: second.requestId, reply: "once" });
  await session?.refuseUnanswered(second.requestId, "Nobody is there.");
  await done;
  expect(story(harness.facts()).slice(4, 6)).toEqual(refusal("c1"));
  expect(ran).toEqual(["make a"]);
});
