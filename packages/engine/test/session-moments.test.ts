/** Proves what session moments may do at each turning point, and that a broken one fails as it declared. */
import type { SessionMoment } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answer, openSite, summaryText, words } from "./compaction-site.ts";
import { createHarness, say } from "./harness.ts";
import { endsOf, notices, rule } from "./phased-worksite.ts";
import { bash, openWorksite, working } from "./worksite.ts";

const moment = (members: Partial<SessionMoment>): SessionMoment => ({ name: "watcher", onError: "refuse", ...members });

const reminders = (harness: { facts(): readonly { readonly type: string }[] }) =>
  harness.facts().flatMap((fact) => ("reminders" in fact ? (fact.reminders as readonly string[]) : []));

test("a changed prompt is what the model sees; the record keeps both and says who changed it", async () => {
  const shout = moment({
    promptSubmitted: ({ text }) => ({
      decision: "pass",
      text: text.toUpperCase(),
      by: "hook shout",
      context: ["loud"],
    }),
  });
  const harness = createHarness({ turns: [say("done")], parts: { sessionMoments: [shout] } });
  await harness.prompt(await harness.open(), "go");
  const facts = harness.facts();
  expect(facts.map(({ type }) => type)).toEqual([
    "prompt.admitted",
    "prompt.revised",
    "step.started",
    "step.ended",
    "run.ended",
  ]);
  expect([facts[0], facts[1]]).toMatchObject([{ text: "go" }, { text: "GO", by: "hook shout" }]);
  const sent = JSON.stringify(harness.requests[0]?.messages);
  expect(sent).toContain("GO");
  expect(sent).not.toContain('"go"');
  expect(reminders(harness)).toEqual([expect.stringContaining('<untrusted-data source="hook" origin="hook shout"')]);
  // What a hook adds is data about the prompt, which stays the last word.
  expect(harness.requests[0]?.messages.at(-1)).toMatchObject({ role: "user", text: "GO" });
});

test("moments see what the ones before them left, in their order", async () => {
  const append = (mark: string) =>
    moment({ name: mark, promptSubmitted: ({ text }) => ({ decision: "pass", text: `${text} ${mark}` }) });
  const harness = createHarness({ turns: [say("done")], parts: { sessionMoments: [append("a"), append("b")] } });
  await harness.prompt(await harness.open(), "go");
  expect(JSON.stringify(harness.requests[0]?.messages)).toContain("go a b");
});

test.each([
  ["refuse", "stopped_by_hook", 0],
  ["continue", "completed", 1],
] as const)("a moment that throws with onError %s ends in %s", async (onError, reason, requests) => {
  const broken = moment({
    onError,
    promptSubmitted: () => {
      throw new Error("no such file");
    },
  });
  const harness = createHarness({ turns: [say("done")], parts: { sessionMoments: [broken] } });
  const run = await harness.prompt(await harness.open(), "go");
  expect(run.fact).toMatchObject({ reason });
  expect(harness.requests.length).toBe(requests);
  expect(notices(harness).join()).toContain("watcher failed: no such file");
});

test("an answer that is none counts as a failure", async () => {
  const odd = moment({ promptSubmitted: () => ({ decision: "yes" }) as never });
  const harness = createHarness({ turns: [say("done")], parts: { sessionMoments: [odd] } });
  const run = await harness.prompt(await harness.open(), "go");
  expect(run.fact).toMatchObject({
    reason: "stopped_by_hook",
    text: expect.stringContaining("its decision is unknown"),
  });
});

test("a run is made to continue at most five times, and each time the model reads why", async () => {
  const seen: number[] = [];
  const insist = moment({
    runStopping: ({ continuations }) => {
      seen.push(continuations);
      return { decision: "continue", text: "the tests fail" };
    },
  });
  const turns = Array.from({ length: 6 }, (_, index) => say(`answer ${index}`));
  const harness = createHarness({ turns, parts: { sessionMoments: [insist] } });
  const run = await harness.prompt(await harness.open(), "go");
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
  expect(run.fact).toMatchObject({
    reason: "completed",
    text: "answer 5",
    transitions: Array.from({ length: 5 }, () => "stop_hook"),
  });
  expect(reminders(harness).filter((text) => text.includes("the tests fail"))).toHaveLength(5);
  expect(notices(harness)).toEqual([expect.stringContaining("5 times in a row")]);
});

test("a run at its limit of turns is not made to continue", async () => {
  const insist = moment({ runStopping: () => ({ decision: "continue", text: "more" }) });
  const harness = createHarness({ turns: [say("one")], parts: { sessionMoments: [insist] } });
  const run = await harness.prompt(await harness.open(), "go", { turnsMax: 1 });
  expect(run.fact).toMatchObject({ reason: "completed", text: "one" });
});

const asks = [rule("make *", "ask")];

test.each([
  ["allow", "completed", ["make a"]],
  ["refuse", "refused", []],
] as const)("a permission question answered with %s is %s without a person", async (decision, outcome, expected) => {
  const answer = moment({ permissionAsked: () => ({ decision, text: "as agreed" }) });
  const { harness, ran } = openWorksite({
    turns: working(bash("make a")),
    rules: asks,
    interactive: false,
    parts: { sessionMoments: [answer] },
  });
  await harness.prompt(await harness.open(), "go");
  expect(ran).toEqual(expected);
  expect(endsOf(harness)).toMatchObject([{ outcome }]);
});

test("no answer of a moment lifts a denial or a policy's question", async () => {
  const yes = moment({ permissionAsked: () => ({ decision: "allow", text: "as agreed" }) });
  for (const rules of [[rule("make *", "deny")], [rule("make *", "ask", "policy")]]) {
    const { harness, ran } = openWorksite({
      turns: working(bash("make a")),
      rules,
      interactive: false,
      parts: { sessionMoments: [yes] },
    });
    await harness.prompt(await harness.open(), "go");
    expect(ran).toEqual([]);
  }
});

test("after the calls of an answer a moment adds context for the next step, or ends the run", async () => {
  const seen: (readonly string[])[] = [];
  const note = moment({
    callsEnded: ({ callIds }) => {
      seen.push(callIds);
      return seen.length === 1 ? { context: ["lint is clean"] } : { endRun: "enough" };
    },
  });
  const { harness } = openWorksite({
    turns: [...working(bash("make a")).slice(0, 1), ...working(bash("make b")).slice(0, 1)],
    rules: [rule("make *", "allow")],
    parts: { sessionMoments: [note] },
  });
  const run = await harness.prompt(await harness.open(), "go");
  expect(seen).toHaveLength(2);
  expect(reminders(harness).join()).toContain("lint is clean");
  expect(run.fact).toMatchObject({ reason: "stopped_by_hook", text: "enough" });
});

test("moments hear when a session is opened, resumed and closed", async () => {
  const heard: string[] = [];
  const listen = moment({
    sessionStarted: ({ source }) => void heard.push(`started ${source}`),
    sessionEnded: ({ mode }) => void heard.push(`ended in ${mode}`),
  });
  const harness = createHarness({ turns: [say("done")], parts: { sessionMoments: [listen] } });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  await harness.engine.send({ type: "session.close", sessionId });
  await harness.resume(sessionId);
  await harness.engine.close();
  expect(heard).toEqual(["started create", "ended in default", "started resume", "ended in default"]);
});

async function compacted(members: Partial<SessionMoment>) {
  const site = openSite({
    turns: [answer(words(2_000)), answer(words(2_000)), answer("on")],
    summaries: [answer(summaryText)],
    parts: { sessionMoments: [moment(members)] },
  });
  const { harness } = site;
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "one");
  await harness.prompt(sessionId, "two");
  const outcome = await harness.engine.send({ type: "context.compact", sessionId });
  return { ...site, sessionId, outcome };
}

test("a compaction that a moment refuses leaves the conversation as it is", async () => {
  const { outcome, harness } = await compacted({ compacting: () => ({ decision: "refuse", text: "not now" }) });
  expect(outcome).toMatchObject({ ok: false, failure: { message: expect.stringContaining("watcher blocked") } });
  expect(harness.facts().filter(({ type }) => type === "context.compacted")).toEqual([]);
});

test("a compaction follows the wishes of a moment, and the next step hears that it happened", async () => {
  const sources: string[] = [];
  const { outcome, harness, sessionId, summaries } = await compacted({
    compacting: () => ({ decision: "pass", instructions: "Keep the port numbers." }),
    sessionStarted: ({ source }) => void sources.push(source),
  });
  expect(outcome).toMatchObject({ ok: true });
  expect(JSON.stringify(summaries)).toContain("Keep the port numbers.");
  await harness.prompt(sessionId, "three");
  expect(sources).toEqual(["create", "compact"]);
});
