/** The list of todos belongs to the branch on which it was written. */
import { applyRecord, emptySession, type Todo, type Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

const todo = (content: string): Todo => ({ content, status: "pending", priority: "low" });

/** Tells the list as it is, and writes the one it is given. */
const keep: Tool = {
  ...createTool({ name: "keep" }),
  run: async (input, { todos }) => {
    const before = todos.list().map(({ content }) => content);
    const { content } = input as { readonly content?: string };
    if (content !== undefined) await todos.replace([todo(content)]);
    return { output: before.join(), title: "" };
  },
};

const write = (id: string, content?: string) => [
  calls(call(id, "keep", content === undefined ? {} : { content })),
  say(id),
];

test("a move in the tree, an undo and its redo bring back the list of the place they lead to", async () => {
  const turns = [...write("a", "first"), ...write("b", "second"), ...write("c"), ...write("d", "other"), ...write("e")];
  const harness = createHarness({ tools: [keep], turns, parts: { snapshots: mapSnapshots(new Map()) } });
  const sessionId = await harness.open("bypass");
  const list = async () => {
    const state = emptySession(sessionId);
    for await (const record of harness.store.read(sessionId, 0)) applyRecord(state, record);
    return state.todos;
  };
  await harness.prompt(sessionId, "one");
  await harness.prompt(sessionId, "two");
  const entryOf = (text: string) =>
    harness.facts().find((fact) => fact.type === "prompt.admitted" && fact.text === text);
  const second = entryOf("two");
  if (second?.type !== "prompt.admitted") throw new Error("no prompt");
  expect(await list()).toEqual([todo("second")]);

  await harness.engine.send({ type: "leaf.move", sessionId, entryId: second.promptId });
  expect(await list()).toEqual([todo("first")]);
  await harness.prompt(sessionId, "three");
  await harness.prompt(sessionId, "four");
  expect(await list()).toEqual([todo("other")]);

  await harness.engine.send({ type: "session.undo", sessionId });
  expect(await list()).toEqual([todo("first")]);
  await harness.engine.send({ type: "session.redo", sessionId });
  expect(await list()).toEqual([todo("other")]);

  await harness.engine.send({ type: "leaf.move", sessionId });
  expect(await list()).toEqual([]);
  await harness.prompt(sessionId, "five");
  const seen = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.output] : []));
  expect(seen).toEqual(["", "first", "first", "first", ""]);
});
