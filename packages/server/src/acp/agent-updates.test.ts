/** Proves what an editor is told of agents: at the call that waits, at the end of others, and who asks for permission. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type Event, type Fact, noUsage, type PermissionRequest, type Signal } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { CallView } from "./call-view.ts";
import { permissionRequestOf } from "./permission-request.ts";
import { createSessionUpdates } from "./session-updates.ts";

const known = { cost: { usd: 0.0123, estimated: false }, usage: noUsage };
const call: Fact = { type: "tool.started", callId: "call_1", stepId: "stp_1", tool: "agent", inputText: "{}" } as Fact;
const started = (agentId: string, more: object = { callId: "call_1" }): Fact => ({
  type: "agent.started",
  ...{ agentId, agent: "explore", description: `Look at ${agentId}`, depth: 1 },
  ...more,
});
const progressed: Signal = {
  type: "agent.progressed",
  ...{ sessionId: "ses_1", agentId: "a", turns: 1, lastAction: "read src/\u001b[2Ja.ts", ...known },
};
const ended = (agentId: string, more: object = { status: "completed" }): Fact =>
  ({ type: "agent.ended", ...{ agentId, result: "Found it.", turns: 2, durationMs: 1 }, ...known, ...more }) as Fact;

function told(...happened: (Fact | Signal)[]): {
  readonly updates: readonly string[];
  readonly notices: readonly string[];
} {
  const notices: string[] = [];
  const updates = createSessionUpdates({ cwd: "/project", capabilities: {}, onNotice: (text) => notices.push(text) });
  const all = happened.flatMap((each, index) => updates.of(eventOf(each, index + 1)));
  return { updates: all.flatMap(textsOf), notices };
}

function eventOf(happened: Fact | Signal, seq: number): Event {
  // Only the signal of the two has this name.
  if (happened.type === "agent.progressed") return { kind: "signal", signal: happened as Signal };
  const record = { sessionId: "ses_1", seq, time: 0, fact: happened as Fact };
  // The parts of a record that prove its place in the chain are of no interest here.
  return { kind: "fact", record: record as unknown as Extract<Event, { kind: "fact" }>["record"] };
}

function textsOf(update: SessionUpdate): readonly string[] {
  if (update.sessionUpdate !== "tool_call_update") return [];
  return (update.content ?? []).flatMap((part) =>
    part.type === "content" && part.content.type === "text" ? [part.content.text] : [],
  );
}

test("agents of a call are told together, with what they do and how they end", () => {
  expect(told(call, started("a"), started("b"), progressed, ended("b", { status: "failed" }))).toEqual({
    updates: [
      "- explore (Look at a): started",
      "- explore (Look at a): started\n- explore (Look at b): started",
      "- explore (Look at a): 1 turn, $0.0123, read src/a.ts\n- explore (Look at b): started",
      "- explore (Look at a): 1 turn, $0.0123, read src/a.ts\n- explore (Look at b): failed, 2 turns, $0.0123",
    ],
    notices: [],
  });
});

test("the end of an agent that nobody waits for is a notice, unless it works for kedge itself", () => {
  const name = { name: "scout" };
  expect(told(started("a", name), progressed, ended("a")).notices).toEqual([
    "Agent explore scout (Look at a): completed, 2 turns, $0.0123.",
  ]);
  const why = { status: "orphaned", why: "kedge exited." };
  expect(told(started("a", {}), ended("a", why)).notices).toEqual([
    "Agent explore (Look at a): orphaned, 2 turns, $0.0123. kedge exited.",
  ]);
  expect(told(started("a", { isQuiet: true }), ended("a"))).toEqual({ updates: [], notices: [] });
  expect(told(progressed, ended("a"))).toEqual({ updates: [], notices: [] });
});

test("a question names the agent that asks, and is never taken for the session's own call of the same id", () => {
  const request: PermissionRequest = {
    ...{ requestId: "per_1", callId: "call_1", tool: "bash", permission: "bash", patterns: ["make"], always: [] },
    ...{ reason: "no rule covers make", agent: { agentId: "ses_2", agent: "general", parentId: "ses_1" } },
  };
  const own: CallView = {
    toolCallId: "call_1",
    name: "agent",
    kind: "other",
    title: "agent",
    locations: [],
    rawInput: {},
  } as const;
  const { toolCall } = permissionRequestOf({ sessionId: "ses_1", request, call: own, cwd: "/project" });
  expect(toolCall).toMatchObject({ toolCallId: "ses_2 call_1", title: "general agent: bash", status: "pending" });
  expect(JSON.stringify(toolCall.content)).toContain(
    "bash, called by the general agent, needs your permission: no rule covers make",
  );
  const { agent: _, ...ofSession } = request;
  const asked = permissionRequestOf({ sessionId: "ses_1", request: ofSession, call: own, cwd: "/project" });
  expect(asked.toolCall).toMatchObject({ toolCallId: "call_1", title: "agent" });
});
