/** The tree of a session: moves, names, copies; and undo of more than the newest prompt. */
import { applyRecord, emptySession, type Message, type SessionState, type Store } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type ScriptedTurn, say } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

async function stateOf(store: Store, sessionId: string): Promise<SessionState> {
  const state = emptySession(sessionId);
  for await (const record of store.read(sessionId, 0)) applyRecord(state, record);
  return state;
}

const user = (text: string): Message => ({ role: "user", text });
const assistant = (text: string): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
  model: "mock/model",
});

function conversation(...answers: readonly string[]) {
  return createHarness({ turns: answers.map(say) });
}

test("a move to a prompt goes on before it and gives its text back; the other branch stays in the tree", async () => {
  const harness = conversation("one", "two", "other two");
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  await harness.prompt(sessionId, "second");
  const before = await stateOf(harness.store, sessionId);
  const entryId = before.items.find((item) => item.type === "prompt" && item.text === "second")?.id ?? "";

  const moved = await harness.engine.send({ type: "leaf.move", sessionId, entryId });
  expect(moved).toEqual({ ok: true, value: { leafId: before.items[1]?.id, promptText: "second" } });
  await harness.prompt(sessionId, "instead");
  expect(harness.requests.at(-1)?.messages).toEqual([user("first"), assistant("one"), user("instead")]);

  const state = await stateOf(harness.store, sessionId);
  const texts = [...state.tree.values()].map(({ item }) => (item.type === "prompt" ? item.text : item.type));
  expect(texts).toEqual(["first", "answer", "second", "answer", "instead", "answer"]);

  const back = await harness.engine.send({ type: "leaf.move", sessionId, entryId: before.leaf ?? "" });
  expect(back).toEqual({ ok: true, value: { leafId: before.leaf } });
  const returned = await stateOf(harness.store, sessionId);
  expect(returned.items).toEqual(before.items);
  expect(returned.undoPoints).toEqual(before.undoPoints);
});

test("a move before the first word, to the present place, and to nowhere", async () => {
  const harness = conversation("one", "anew");
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  const count = harness.facts().length;
  const leaf = (await stateOf(harness.store, sessionId)).leaf ?? "";
  expect(await harness.engine.send({ type: "leaf.move", sessionId, entryId: leaf })).toMatchObject({ ok: true });
  expect(harness.facts()).toHaveLength(count);
  expect(await harness.engine.send({ type: "leaf.move", sessionId, entryId: "prm_x" })).toMatchObject({ ok: false });

  expect(await harness.engine.send({ type: "leaf.move", sessionId })).toEqual({ ok: true, value: {} });
  await harness.prompt(sessionId, "second");
  expect(harness.requests.at(-1)?.messages).toEqual([user("second")]);
});

test("names of places are given, changed and taken away", async () => {
  const harness = conversation("one");
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  const entryId = (await stateOf(harness.store, sessionId)).leaf ?? "";
  const label = async (name?: string) => {
    await harness.engine.send({ type: "entry.label", sessionId, entryId, ...(name !== undefined && { label: name }) });
    return [...(await stateOf(harness.store, sessionId)).labels];
  };
  expect(await label(" works ")).toEqual([[entryId, "works"]]);
  expect(await label("better")).toEqual([[entryId, "better"]]);
  expect(await label()).toEqual([]);
  expect(await harness.engine.send({ type: "entry.label", sessionId, entryId: "x", label: "y" })).toMatchObject({
    ok: false,
  });
});

test("a fork has the same conversation under new ids, costs nothing, and leaves the original alone", async () => {
  const look = createTool({ name: "look" });
  const turns: readonly ScriptedTurn[] = [calls(call("a", "look", { at: 1 })), say("one"), say("two"), say("fork")];
  const harness = createHarness({ turns, tools: [look] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  const first = await stateOf(harness.store, sessionId);
  await harness.prompt(sessionId, "second");
  const original = await stateOf(harness.store, sessionId);

  const leafId = first.leaf ?? "";
  const forked = await harness.engine.send<"session.fork">({ type: "session.fork", sessionId, entryId: leafId });
  if (!forked.ok) throw new Error(forked.failure.message);
  const forkId = forked.value.sessionId;
  expect(await stateOf(harness.store, sessionId)).toEqual(original);

  const copy = await stateOf(harness.store, forkId);
  expect(copy).toMatchObject({
    title: "first (fork)",
    cost: { usd: 0 },
    origin: { kind: "fork", sessionId, leafId, usd: original.cost.usd },
    runId: undefined,
    mode: "default",
  });
  const ids = new Set(original.tree.keys());
  expect([...copy.tree.keys()].filter((id) => ids.has(id))).toEqual([]);
  expect(await harness.store.verify(forkId)).toMatchObject({ valid: true });

  await harness.resume(forkId);
  const requests = harness.requests.length;
  await harness.prompt(forkId, "in the fork");
  const [inOriginal, inFork] = [harness.requests[requests - 1], harness.requests[requests]];
  expect(inFork?.messages).toEqual([...(inOriginal?.messages.slice(0, -1) ?? []), user("in the fork")]);
});

test("a fork in the middle of a run ends what was open", async () => {
  const look = createTool({ name: "look" });
  const turns: readonly ScriptedTurn[] = [calls(call("a", "look", { at: 1 })), say("one")];
  const harness = createHarness({ turns, tools: [look] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  const state = await stateOf(harness.store, sessionId);
  const answer = state.items.find((item) => item.type === "answer")?.id ?? "";
  const forked = await harness.engine.send<"session.fork">({ type: "session.fork", sessionId, entryId: answer });
  if (!forked.ok) throw new Error(forked.failure.message);
  const copy = await stateOf(harness.store, forked.value.sessionId);
  expect(copy.runId).toBe(undefined);
  expect(copy.items.map((item) => item.type)).toEqual(["prompt", "answer", "results"]);
});

test("a session is renamed and archived whether it is open or not", async () => {
  const harness = conversation("one");
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  await harness.engine.send({ type: "session.update", sessionId, title: " My work " });
  expect(await stateOf(harness.store, sessionId)).toMatchObject({ title: "My work", titleSource: "user" });
  await harness.engine.close();
  const next = createHarness({ turns: [], store: harness.store, boot: "boot-2" });
  expect(await next.engine.send({ type: "session.update", sessionId, isArchived: true })).toEqual({
    ok: true,
    value: {},
  });
  expect(await stateOf(harness.store, sessionId)).toMatchObject({ title: "My work", isArchived: true });
  expect(await next.engine.send({ type: "session.update", sessionId: "ses_x", title: "t" })).toMatchObject({
    ok: false,
  });
});

function workshop(turns: readonly ScriptedTurn[], running: () => boolean = () => false) {
  const files = new Map([["kept", "user"]]);
  const write = createTool({
    name: "write",
    readOnly: false,
    permission: "edit",
    run: async (input) => {
      const { path, text } = input as { path: string; text: string };
      files.set(path, text);
      return { output: "ok", title: path };
    },
  });
  const job = {
    jobId: "1",
    command: "watch",
    status: "running",
    startedAtMs: 0,
    durationMs: 0,
    artifact: 1,
  } as const;
  const harness = createHarness({
    turns,
    tools: [write],
    snapshots: mapSnapshots(files),
    rules: [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }],
    parts: {
      newJobs: () => ({
        start: () => ({ ok: false, problem: "none" }),
        adopt: () => ({ ok: false, problem: "none" }),
        find: () => undefined,
        list: () => (running() ? [job] : []),
        takeOutput: () => "",
        waitForEnd: async () => undefined,
        watch: () => undefined,
        kill: async () => undefined,
        takeEnded: () => [],
        close: async () => undefined,
      }),
    },
  });
  return { files, harness };
}

const write = (id: string, path: string, text: string) => calls(call(id, "write", { path, text }));

test("undo to an earlier prompt takes back all since, and one redo brings all of it forward", async () => {
  const { files, harness } = workshop([
    ...[write("a", "one", "1"), say("a"), write("b", "one", "2"), say("b")],
    ...[write("c", "two", "3"), say("c")],
  ]);
  const sessionId = await harness.open();
  for (const text of ["first", "second", "third"]) await harness.prompt(sessionId, text);
  const state = await stateOf(harness.store, sessionId);
  const promptId = state.undoPoints[1]?.promptId ?? "";
  expect(await harness.engine.send({ type: "session.undo", sessionId, promptId })).toEqual({
    ok: true,
    value: {
      promptText: "second",
      files: [
        { path: "one", status: "modified" },
        { path: "two", status: "deleted" },
      ],
      uncovered: [],
    },
  });
  expect([...files]).toEqual([
    ["kept", "user"],
    ["one", "1"],
  ]);
  expect(await harness.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
  expect(new Map(files)).toEqual(
    new Map([
      ["kept", "user"],
      ["one", "2"],
      ["two", "3"],
    ]),
  );
  expect((await stateOf(harness.store, sessionId)).items).toEqual(state.items);
});

test("undo names what somebody else changed since and changes nothing, unless it is told to", async () => {
  const { files, harness } = workshop([write("a", "one", "1"), say("a")]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  files.set("one", "edited by hand");
  const refused = await harness.engine.send({ type: "session.undo", sessionId });
  expect(refused).toMatchObject({ ok: false, failure: { code: "changed_since" } });
  expect(refused.ok ? "" : refused.failure.message).toContain("one");
  expect(files.get("one")).toBe("edited by hand");
  expect(await harness.engine.send({ type: "session.undo", sessionId, evenIfChanged: true })).toMatchObject({
    ok: true,
  });
  expect(files.has("one")).toBe(false);
  await harness.engine.send({ type: "session.redo", sessionId });
  expect(files.get("one")).toBe("edited by hand");
});

test("redo names what somebody else changed since the undo and overwrites it only when it is told to", async () => {
  const { files, harness } = workshop([write("a", "one", "1"), say("a")]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  await harness.engine.send({ type: "session.undo", sessionId });
  files.set("one", "written by hand");
  const refused = await harness.engine.send({ type: "session.redo", sessionId });
  expect(refused).toMatchObject({ ok: false, failure: { code: "changed_since" } });
  expect(files.get("one")).toBe("written by hand");
  expect(await harness.engine.send({ type: "session.redo", sessionId, evenIfChanged: true })).toMatchObject({
    ok: true,
  });
  expect(files.get("one")).toBe("1");
});

test("undo of a prompt that changed no file needs no snapshot", async () => {
  const harness = conversation("one", "two");
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  expect(await harness.engine.send({ type: "session.undo", sessionId })).toEqual({
    ok: true,
    value: { promptText: "first", files: [], uncovered: [] },
  });
  await harness.prompt(sessionId, "instead");
  expect(harness.requests.at(-1)?.messages).toEqual([user("instead")]);
});

test("what a job writes between two steps, between two prompts and after the last one is undone as well", async () => {
  let isRunning = true;
  const { files, harness } = workshop(
    [write("a", "one", "1"), say("a"), write("b", "two", "2"), say("b")],
    () => isRunning,
  );
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  files.set("built", "by the job");
  await harness.prompt(sessionId, "second");
  files.set("built again", "by the job");
  isRunning = false;
  expect(await harness.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: true });
  expect([...files.keys()].sort()).toEqual(["kept", "one"]);
  await harness.engine.send({ type: "session.undo", sessionId });
  expect([...files.keys()]).toEqual(["kept"]);
});
