/** Proves that work goes on in a new session with a document of the old one, asked for or by itself. */
import { applyRecord, emptySession, type Fact, type Job, type Jobs, type Store } from "@kedge/protocol";
import { expect, test } from "vitest";
import {
  answer,
  callOf,
  compactAt,
  compactions,
  failing,
  notices,
  openSite,
  type Site,
  shown,
  summaryText,
  words,
} from "./compaction-site.ts";
import { createTool } from "./harness.ts";

async function factsOf(store: Store, sessionId: string): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const { fact } of store.read(sessionId, 0)) facts.push(fact);
  return facts;
}

async function spoken(options: Partial<Parameters<typeof openSite>[0]> = {}): Promise<Site> {
  const site = openSite({ turns: [answer("Half done."), answer("More done.")], ...options });
  const sessionId = await site.harness.open("accept-edits");
  await site.harness.prompt(sessionId, "Mend the parser.");
  return site;
}

const usage = { input: 90, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const cost = { usd: 0.00014, estimated: false };

test("a new session begins with the document as a record, and the old one is as it was", async () => {
  const killed: string[] = [];
  const job: Job = { jobId: "job_1", command: "watch", status: "running", startedAtMs: 0, durationMs: 1, artifact: 1 };
  const jobs: Pick<Jobs, "list" | "kill"> = {
    list: () => (killed.length === 0 ? [job] : []),
    kill: async (jobId) => void killed.push(jobId),
  };
  const idle: Jobs = {
    ...jobs,
    start: () => ({ ok: false, problem: "none" }),
    adopt: () => ({ ok: false, problem: "none" }),
    find: () => undefined,
    takeOutput: () => "",
    waitForEnd: async () => undefined,
    watch: () => undefined,
    takeEnded: () => [],
    close: async () => undefined,
  };
  const tools = [createTool({ name: "look" })];
  const site = await spoken({ summaries: [answer(" The key is hunter2. ")], tools, parts: { newJobs: () => idle } });
  const { engine, store } = site.harness;
  const before = await factsOf(store, "ses_1");
  const handed = await engine.send({ type: "session.handoff", sessionId: "ses_1", focus: "the lexer" });
  expect(handed).toEqual({ ok: true, value: { sessionId: "ses_2" } });
  expect(await factsOf(store, "ses_1")).toEqual(before);
  expect(killed).toEqual(["job_1"]);
  expect(await factsOf(store, "ses_2")).toEqual([
    {
      type: "session.created",
      directory: "/project",
      projectId: "project-1",
      model: "mock/model",
      mode: "accept-edits",
      kedgeVersion: "0.0.0",
      boot: "boot-1",
      origin: { kind: "handoff", sessionId: "ses_1", leafId: "stp_1", usd: 0.00014 },
    },
    { type: "session.updated", title: "Mend the parser. (handoff)", titleSource: "model" },
    {
      type: "message.added",
      messageId: "msg_1",
      kind: "handoff",
      text: "The key is [REDACTED:password].",
      files: { read: [], modified: [] },
      usage,
      cost,
    },
  ]);
  const [asked] = site.summaries;
  const [lived] = site.asked;
  expect([asked?.system, asked?.systemTail, asked?.tools]).toEqual([lived?.system, lived?.systemTail, lived?.tools]);
  expect(asked?.messages.slice(0, -1)).toEqual([
    ...(lived?.messages ?? []),
    { role: "assistant", content: [{ type: "text", text: "Half done." }], model: "mock/model" },
  ]);
  expect(asked?.messages.at(-1)).toMatchObject({ text: expect.stringContaining("about this: the lexer") });

  await engine.send({ type: "session.resume", sessionId: "ses_2" });
  const state = emptySession("ses_2");
  for await (const record of store.read("ses_2", 0)) applyRecord(state, record);
  expect({ mode: state.mode, cost: state.cost }).toEqual({ mode: "accept-edits", cost });
  await site.harness.resume("ses_2");
  await site.harness.prompt("ses_2", "Go on.");
  expect(shown(site.asked[1])).toEqual([expect.stringContaining("user: <handoff-record>"), "user: Go on."]);
});

test("what waits is withdrawn, and it is refused before anything was said", async () => {
  const early = openSite({ turns: [] });
  const first = await early.harness.open();
  expect(await early.harness.engine.send({ type: "session.handoff", sessionId: first })).toMatchObject({
    ok: false,
    failure: { code: "invalid_command" },
  });
  const site: Site = openSite({
    tools: [
      createTool({
        name: "look",
        run: async () => {
          const command = { type: "prompt.submit", sessionId: "ses_1", text: "Later", delivery: "follow-up" } as const;
          await site.harness.engine.send({ ...command, options: {} });
          await site.harness.engine.send({ type: "turn.interrupt", sessionId: "ses_1" });
          return { output: "seen", title: "" };
        },
      }),
    ],
    turns: [callOf("a", "look", {})],
    summaries: [answer("The document.")],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, "One");
  const count = site.harness.facts().length;
  expect(await site.harness.engine.send({ type: "session.handoff", sessionId })).toMatchObject({ ok: true });
  expect(site.harness.facts().slice(count)).toEqual([{ type: "prompt.withdrawn", promptId: "prm_2" }]);
  const successor = await factsOf(site.harness.store, "ses_2");
  expect(successor[0]).toMatchObject({ mode: "default" });
});

test("an empty document has the conversation summarised instead, and an interruption changes nothing", async () => {
  const site = openSite({
    turns: [answer("One done."), answer("Two done.")],
    summaries: [[{ type: "end", stopReason: "end", usage }], answer(summaryText)],
  });
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  const count = site.harness.facts().length;
  expect(await site.harness.engine.send({ type: "session.handoff", sessionId })).toEqual({
    ok: true,
    value: { sessionId },
  });
  expect(site.harness.facts().slice(count)).toMatchObject([
    { type: "session.updated", usage, cost },
    { type: "context.compacted", trigger: "manual" },
  ]);

  const stopped: Site = await spoken({
    summaries: [
      () => {
        void stopped.harness.engine.send({ type: "turn.interrupt", sessionId: "ses_1" });
        return answer("Too late.");
      },
    ],
  });
  const before = await factsOf(stopped.harness.store, "ses_1");
  expect(await stopped.harness.engine.send({ type: "session.handoff", sessionId: "ses_1" })).toMatchObject({
    ok: false,
    failure: { code: "aborted" },
  });
  expect(await factsOf(stopped.harness.store, "ses_1")).toEqual(before);
  expect(await stopped.harness.store.session("ses_2")).toBeUndefined();
});

type MovedSignal = { readonly toSessionId: string };

function moves({ harness }: Site): readonly MovedSignal[] {
  return harness.signals().flatMap((signal) => (signal.type === "session.moved" ? [signal] : []));
}

/** Two runs, the second of which leaves a conversation that is due to be handed over. */
function dueSite(options: Partial<Parameters<typeof openSite>[0]> = {}): Site {
  return openSite({
    tools: [createTool({ name: "look" })],
    turns: [
      answer("One done."),
      callOf("a", "look", {}, compactAt),
      answer("Two done.", compactAt),
      answer("Three done."),
    ],
    summaries: [answer("The document.")],
    compaction: { settings: { strategy: "handoff" } },
    interactive: true,
    ...options,
  });
}

async function runTwice(site: Site): Promise<string> {
  const sessionId = await site.harness.open("bypass");
  await site.harness.prompt(sessionId, `One: ${words(500)}`);
  await site.harness.prompt(sessionId, "Two");
  return sessionId;
}

test("where that is the strategy, a run that leaves a large conversation is followed by it, once it has ended", async () => {
  const site = dueSite();
  await runTwice(site);
  await site.harness.waitFor(() => moves(site).length > 0);
  expect(moves(site)).toEqual([{ type: "session.moved", sessionId: "ses_1", toSessionId: "ses_2" }]);
  expect(notices(site)).toEqual(["This conversation is large. It continues in session ses_2."]);
  expect((await factsOf(site.harness.store, "ses_2")).map(({ type }) => type)).toEqual([
    "session.created",
    "session.updated",
    "message.added",
  ]);
  expect(site.harness.facts().at(-1)).toMatchObject({ type: "run.ended", transitions: ["tool_results"] });
  await site.harness.resume("ses_2");
  await site.harness.prompt("ses_2", "Three");
  expect(shown(site.asked[3])).toEqual([expect.stringContaining("user: <handoff-record>"), "user: Three"]);
  // One request for a document, none for a summary.
  expect(site.summaries).toHaveLength(1);
  expect(compactions(site.harness.facts())).toEqual([]);
});

test("a prompt that comes while the document is written is answered in the new session, with its options", async () => {
  const site: Site = dueSite({
    summaries: [
      () => {
        const command = { type: "prompt.submit", sessionId: "ses_1", text: "Three", delivery: "steer" } as const;
        void site.harness.engine.send({ ...command, options: { turnsMax: 7 } });
        return answer("The document.");
      },
    ],
  });
  await runTwice(site);
  await site.harness.waitFor(() => moves(site).length > 0);
  await expect.poll(async () => (await factsOf(site.harness.store, "ses_2")).at(-1)?.type).toBe("run.ended");
  expect(await factsOf(site.harness.store, "ses_2")).toMatchObject([
    { type: "session.created" },
    { type: "session.updated" },
    { type: "message.added" },
    { type: "session.resumed" },
    { type: "prompt.admitted", text: "Three", options: { turnsMax: 7 } },
    { type: "step.started" },
    { type: "step.ended" },
    { type: "run.ended", text: "Three done." },
  ]);
  expect(site.harness.facts().at(-1)).toMatchObject({ type: "prompt.withdrawn" });
  expect(compactions(site.harness.facts())).toEqual([]);
});

test("a prompt on a conversation that is large already moves before it is answered", async () => {
  const site = dueSite({ summaries: [failing("server_error"), answer("The document.")] });
  await runTwice(site);
  await site.harness.waitFor(() => notices(site).length > 0);
  expect(notices(site)).toEqual(["Handoff failed: It was server_error."]);
  const command = { type: "prompt.submit", sessionId: "ses_1", text: "Three", delivery: "steer", options: {} } as const;
  await site.harness.engine.send(command);
  await site.harness.waitFor(() => moves(site).length > 0);
  await expect
    .poll(async () => (await factsOf(site.harness.store, "ses_2")).at(-1))
    .toMatchObject({ text: "Three done." });
  expect(compactions(site.harness.facts())).toEqual([]);
});

test("where nobody can follow, the conversation is summarised without a document being asked for", async () => {
  const site = dueSite({ interactive: false, summaries: [answer(summaryText)] });
  await runTwice(site);
  expect(notices(site)[0]).toBe(
    "A handoff needs a client that can switch sessions. The conversation is summarized instead.",
  );
  expect(compactions(site.harness.facts())).toMatchObject([{ trigger: "threshold" }]);
  expect(site.summaries).toHaveLength(1);
  expect(moves(site)).toEqual([]);
});
