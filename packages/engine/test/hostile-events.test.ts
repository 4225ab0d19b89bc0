/** Readers of events that throw, leave twice or come and go meanwhile harm neither the run nor other readers. */
import type { Event, Fact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";
import { notices } from "./phased-worksite.ts";

const factsIn = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === "fact" ? [event.record.fact] : []));

const working = () =>
  createHarness({ tools: [createTool({ name: "look" })], turns: [calls(call("a", "look", {})), say("Done.")] });

test("a reader that throws is told nothing more, and the run, its record and all others go on", async () => {
  const harness = working();
  const sessionId = await harness.open("bypass");
  let told = 0;
  const fail = () => {
    told += 1;
    throw new Error("hunter2 is lost");
  };
  harness.engine.subscribe(sessionId, fail);
  harness.engine.subscribeAll(fail);
  const behind: Event[] = [];
  harness.engine.subscribe(sessionId, (event) => behind.push(event));
  expect((await harness.prompt(sessionId, "go")).fact).toMatchObject({ reason: "completed" });
  const stored: Fact[] = [];
  for await (const { fact, seq } of harness.store.read(sessionId, 0)) if (seq > 1) stored.push(fact);
  expect([factsIn(behind), harness.facts()]).toEqual([stored, stored]);
  const state = harness.engine.openSessions().find((open) => open.state.sessionId === sessionId)?.state;
  expect(state?.lastRun).toMatchObject({ reason: "completed" });
  expect([told, notices(harness)]).toEqual([
    2,
    Array(2).fill("An event subscriber failed and was disconnected: [REDACTED:password] is lost"),
  ]);
});

test("a reader that leaves twice does not take along those who came meanwhile", async () => {
  const harness = working();
  const created = await harness.engine.send({ type: "session.create", mode: "bypass", model: "mock/model" });
  if (!created.ok) throw new Error(created.failure.message);
  const { sessionId } = created.value;
  const leave = harness.engine.subscribe(sessionId, () => undefined);
  leave();
  const seen: Event[] = [];
  const ended = Promise.withResolvers<void>();
  harness.engine.subscribe(sessionId, (event) => {
    seen.push(event);
    if (factsIn([event])[0]?.type === "run.ended") ended.resolve();
  });
  leave();
  await harness.submit(sessionId, "go");
  await ended.promise;
  expect(factsIn(seen)[0]).toMatchObject({ type: "prompt.admitted" });
});

test("readers that come and go while events are told miss nothing of their time", async () => {
  const harness = working();
  const sessionId = await harness.open("bypass");
  const seen: string[] = [];
  const restless = (name: string) => {
    const leave = harness.engine.subscribe(sessionId, (event) => {
      if (event.kind !== "fact") return;
      seen.push(`${name} ${event.record.seq}`);
      leave();
      restless(name);
    });
  };
  restless("one");
  restless("two");
  const { seq } = await harness.prompt(sessionId, "go");
  const every = Array.from({ length: seq - 1 }, (_, at) => at + 2);
  expect(seen).toEqual(every.flatMap((number) => [`one ${number}`, `two ${number}`]));
});
