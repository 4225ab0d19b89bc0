/** Undo and redo of files and conversation, on a workspace that is a map of paths to contents. */
import type { ModelEvent } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

function setUp(turns: readonly (readonly ModelEvent[])[]) {
  const files = new Map([["kept", "user"]]);
  const write = createTool({
    name: "write",
    readOnly: false,
    permission: "edit",
    run: async (input) => {
      const { path, text } = input as { path: string; text?: string };
      if (text === undefined) files.delete(path);
      else files.set(path, text);
      return { output: "ok", title: path };
    },
  });
  const script = turns.flatMap((events, index) => [calls(...events), say(`answer ${index}`)]);
  const snapshots = mapSnapshots(files);
  const harness = createHarness({
    turns: [...script, say("after undo")],
    tools: [write],
    snapshots,
    rules: [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }],
  });
  return { files, harness, snapshots };
}

test("three prompts undone one by one and redone give back every state of the files", async () => {
  const { files, harness } = setUp([
    [call("a", "write", { path: "one", text: "1" }), call("b", "write", { path: "two", text: "2" })],
    [call("c", "write", { path: "one", text: "1b" })],
    [call("d", "write", { path: "two" })],
  ]);
  const sessionId = await harness.open();
  const states: string[] = [];
  const snapshot = () => JSON.stringify([...files].sort());
  for (const text of ["first", "second", "third"]) {
    states.push(snapshot());
    await harness.prompt(sessionId, text);
  }
  const final = snapshot();
  expect(harness.facts().filter((fact) => fact.type === "files.changed")).toHaveLength(3);

  for (const [index, text] of [...["first", "second", "third"].entries()].reverse()) {
    const undone = await harness.engine.send({ type: "session.undo", sessionId });
    expect(undone).toMatchObject({ ok: true, value: { promptText: text } });
    expect(snapshot()).toBe(states[index]);
  }
  expect(await harness.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: false });
  for (const state of [...states.slice(1), final]) {
    expect(await harness.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
    expect(snapshot()).toBe(state);
  }
  expect(await harness.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: false });
});

test("after an undo the model no longer sees what was undone, and a new prompt ends the chance to redo", async () => {
  const { files, harness } = setUp([[call("a", "write", { path: "one", text: "1" })]]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  await harness.engine.send({ type: "session.undo", sessionId });
  expect(files.has("one")).toBe(false);
  await harness.prompt(sessionId, "instead");
  expect(harness.requests.at(-1)?.messages).toEqual([{ role: "user", text: "instead" }]);
  expect(await harness.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: false });
});

test("files the user changed meanwhile and the agent never touched stay as they are", async () => {
  const { files, harness } = setUp([[call("a", "write", { path: "one", text: "1" })]]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  files.set("kept", "user again");
  await harness.engine.send({ type: "session.undo", sessionId });
  expect([...files]).toEqual([["kept", "user again"]]);
});

test("a revert that a crash cut short is finished when the session is opened again", async () => {
  const { files, harness, snapshots } = setUp([[call("a", "write", { path: "one", text: "1" })]]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  const changed = new Map(files);
  await harness.engine.send({ type: "session.undo", sessionId });
  await harness.engine.close();
  // The fact is stored, the files are as if the process had died before touching them.
  for (const [path, text] of changed) files.set(path, text);
  const next = createHarness({ turns: [], snapshots, store: harness.store, boot: "boot-2" });
  await next.resume(sessionId);
  expect([...files]).toEqual([["kept", "user"]]);
});

test("what the user does after a call that changed nothing is no work of the agent", async () => {
  const { files, harness, snapshots } = setUp([[call("a", "write", { path: "kept", text: "user" })]]);
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "first");
  files.set("kept", "user again");
  await harness.engine.close();
  const next = createHarness({ turns: [], snapshots, store: harness.store, boot: "boot-2" });
  await next.resume(sessionId);
  expect(await next.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: true, value: { files: [] } });
  expect([...files]).toEqual([["kept", "user again"]]);
});
