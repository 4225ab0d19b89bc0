/** Names of agents are unique in a tree, also among agents that start at the same time. */
import { emptySession } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createAgentNames } from "../src/runs/agent-names.ts";

function openNames() {
  const root = emptySession("ses_root");
  const names = createAgentNames({ find: () => undefined });
  return { root, names, take: (wished: string) => names.take(wished, root) };
}

test("agents that start at once get different names, in any spelling", () => {
  const { take } = openNames();
  expect([take("bob"), take("bob"), take("BOB"), take("bob-2")]).toEqual(["bob", "bob-2", "BOB-3", "bob-2-2"]);
});

test("a name is free again once its agent is recorded, and the record holds it from then on", () => {
  const { take, names, root } = openNames();
  take("bob");
  names.release(root.sessionId, "bob");
  expect(take("bob")).toBe("bob");
});

test("another tree has names of its own", () => {
  const { names, root } = openNames();
  expect([names.take("bob", root), names.take("bob", emptySession("ses_other"))]).toEqual(["bob", "bob"]);
});

test.each([
  ["leader", "leader-2"],
  ["Parent", "Parent-2"],
  ["ses_0abc", "ses_0abc-2"],
  ["*", "agent"],
  ["../../etc/passwd", "etc-passwd"],
  ["  ", "agent"],
  ["x".repeat(60), "x".repeat(48)],
])("%s is called %s", (wished, name) => {
  expect(openNames().take(wished)).toBe(name);
});

test("a number does not make a name longer than names may be", () => {
  const { take } = openNames();
  take("x".repeat(48));
  expect(take("x".repeat(48))).toBe(`${"x".repeat(46)}-2`);
});
