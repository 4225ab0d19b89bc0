/** Agents on the screen: how each state looks, what each key does, an order that stays, and the view of one. */
import { type AgentSummary, noUsage } from "@kedge/protocol";
import { expect, test } from "vitest";
import { evil, theme } from "../../../test/picker-samples.ts";
import { foreignControls, insideOf, press, screenOf, type } from "../../../test/press.ts";
import { createAgentDialog } from "./agent-dialog.ts";
import { agentRow, createAgentOrder } from "./agent-rows.ts";
import { createAgentView } from "./agent-view.ts";

function agent(agentId: string, given: Partial<AgentSummary> = {}): AgentSummary {
  return {
    ...{ agentId, parentId: "ses_top", agent: "general", description: `Task of ${agentId}`, state: "running" },
    ...{ isBackground: false, depth: 1, startedAt: 1_000, durationMs: 48_000, turns: 3, model: "mock/model" },
    usage: { ...noUsage, input: 12_000, output: 345 },
    cost: { usd: 0.0042, estimated: false },
    ...given,
  };
}

const agents = [
  agent("ses_a", { lastAction: "edit docs/api.md" }),
  agent("ses_b", { name: "survey", agent: "explore", isAsking: true, isBackground: true }),
  agent("ses_c", { depth: 2, state: "parked", status: "completed", turns: 1 }),
  agent("ses_d", { state: "aborted", status: "failed", why: "The model refused." }),
];

function shown(given: () => readonly AgentSummary[] | undefined = () => agents, problem?: string) {
  const calls: (readonly unknown[])[] = [];
  const dialog = createAgentDialog({
    agents: given,
    problem: () => problem,
    theme,
    onOpen: (id) => calls.push(["open", id]),
    onAct: (...call) => calls.push(call.filter((part) => part !== undefined)),
  });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("agents with what they do, time, cost and tokens", () => {
  expect(screenOf(shown().dialog, { width: 80 })).toMatchInlineSnapshot(`
    "
    ╭─ Agents ─────────────────────────────────────────────────────────────────────╮
    │ Running: edit docs/api.md                                                    │
    │ mock/model · 3 turns · ses_a                                                 │
    │                                                                              │
    │ ❯                                                  4 entries, type to filter │
    │                                                                              │
    │ Running                                                                      │
    │ ❯ ◐ general: Task of ses_a  edit docs/api.md     48 s · $0.0042 · 12k tokens │
    │   ! survey (explore): Task of ses_b  waits for … 48 s · $0.0042 · 12k tokens │
    │ Finished                                                                     │
    │     • general: Task of ses_c                     48 s · $0.0042 · 12k tokens │
    │ Ended early                                                                  │
    │   ! general: Task of ses_d                       48 s · $0.0042 · 12k tokens │
    │                                                                              │
    │ up/down select · enter choose · ctrl+s message · ctrl+x interrupt            │
    │ ctrl+k kill · ctrl+r revive · esc close                                      │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("in 60 columns", () => {
  expect(screenOf(shown().dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ Agents ─────────────────────────────────────────────────╮
    │ Running: edit docs/api.md                                │
    │ mock/model · 3 turns · ses_a                             │
    │                                                          │
    │ ❯                              4 entries, type to filter │
    │                                                          │
    │ Running                                                  │
    │ ❯ ◐ general: Task of ses_a   48 s · $0.0042 · 12k tokens │
    │   ! survey (explore): Task … 48 s · $0.0042 · 12k tokens │
    │ Finished                                                 │
    │     • general: Task of ses_c 48 s · $0.0042 · 12k tokens │
    │ Ended early                                              │
    │   ! general: Task of ses_d   48 s · $0.0042 · 12k tokens │
    │                                                          │
    │ up/down select · enter choose · ctrl+s message           │
    │ ctrl+x interrupt · ctrl+k kill · ctrl+r revive           │
    │ esc close                                                │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("without agents, while they load, and when they cannot be listed", () => {
  const body = (dialog: ReturnType<typeof shown>["dialog"]) => insideOf(dialog).slice(2, 5).join(" ").trim();
  expect(body(shown(() => []).dialog)).toMatch(/^No agents in this session yet\./);
  expect(body(shown(() => undefined).dialog)).toMatch(/^Loading agents…/);
  expect(body(shown(() => undefined, "Agents are switched off.").dialog)).toMatch(/^Agents are switched off\./);
});

test("commands in the background stand beside agents, are read and killed", () => {
  const calls: (readonly unknown[])[] = [];
  const shell = (taskId: string, command: string, given = {}) => ({
    ...{ sessionId: "ses_top", taskId, command, status: "running" as const, durationMs: 61_000 },
    ...given,
  });
  const dialog = createAgentDialog({
    agents: () => agents.slice(0, 1),
    shells: () => [
      shell("bash_1", `npm test ${evil}`, { status: "ended", result: "failed with exit code 1" }),
      shell("bash_2", "npm run dev"),
    ],
    theme,
    onOpen: (id) => calls.push(["open", id]),
    onAct: () => calls.push(["act"]),
    onOpenShell: ({ taskId }) => calls.push(["read", taskId]),
    onKillShell: ({ taskId }) => calls.push(["kill", taskId]),
  });
  const lines = insideOf(dialog, { width: 76, height: 22 });
  expect(dialog.render(76, 22).flatMap(foreignControls)).toEqual([]);
  const text = lines.join("\n");
  expect(text).toContain("Background commands");
  expect(text.indexOf("npm run dev")).toBeLessThan(text.indexOf("npm test"));
  expect(text).toMatch(/npm run dev +1 m/);
  press(dialog, "down");
  press(dialog, "enter");
  // There is nothing to say to a command, and nothing in it to interrupt but itself.
  press(dialog, "ctrl+s");
  press(dialog, "ctrl+x");
  press(dialog, "ctrl+r");
  press(dialog, "ctrl+k");
  press(dialog, "down");
  press(dialog, "enter");
  press(dialog, "end");
  expect(insideOf(dialog, { width: 76, height: 22 }).join("\n")).toContain("Ended: failed with exit code 1.");
  // One that has ended is not killed.
  press(dialog, "ctrl+k");
  press(dialog, "enter");
  expect(calls).toEqual([
    ["read", "bash_2"],
    ["kill", "bash_2"],
    ["read", "bash_1"],
  ]);
});

test("each key does what its label says, to the selected agent", () => {
  const { dialog, calls } = shown();
  press(dialog, "enter");
  press(dialog, "ctrl+x");
  press(dialog, "ctrl+r");
  press(dialog, "ctrl+s");
  type(dialog, "Look at src");
  press(dialog, "enter");
  press(dialog, "ctrl+k");
  press(dialog, "escape");
  press(dialog, "ctrl+k");
  press(dialog, "down");
  press(dialog, "enter");
  expect(calls).toEqual([
    ["open", "ses_a"],
    ["interrupt", "ses_a"],
    ["message", "ses_a", "Look at src"],
    ["kill", "ses_a"],
  ]);
  calls.length = 0;
  press(dialog, "end");
  // One that has ended can be revived, and neither interrupted nor killed.
  press(dialog, "ctrl+x");
  press(dialog, "ctrl+k");
  press(dialog, "ctrl+r");
  expect(calls).toEqual([["revive", "ses_d"]]);
});

test("the order of the first display stays, new agents come last, the selection follows its agent", () => {
  const order = createAgentOrder();
  const ids = (given: readonly AgentSummary[]) => order(given).map(({ agentId }) => agentId);
  const [a, b, c] = ["a", "b", "c"].map((id, index) => agent(id, { startedAt: index * 1_000, durationMs: 0 })) as [
    AgentSummary,
    AgentSummary,
    AgentSummary,
  ];
  expect(ids([a, b, c])).toEqual(["c", "b", "a"]);
  expect(ids([{ ...a, durationMs: 90_000 }, b, c])).toEqual(["c", "b", "a"]);
  expect(ids([a, b, c, agent("d", { startedAt: 99_000 })])).toEqual(["c", "b", "a", "d"]);
  expect(ids([a, b, { ...c, state: "parked" }, agent("d")])).toEqual(["b", "a", "d", "c"]);
  let listed: readonly AgentSummary[] = [a, b];
  const { dialog, calls } = shown(() => listed);
  press(dialog, "down");
  listed = [a, { ...b, state: "parked", status: "completed" }, c];
  dialog.render(76, 22);
  press(dialog, "enter");
  expect(calls).toEqual([["open", "a"]]);
});

test("texts of others steer no terminal, and values of another kedge break nothing", () => {
  const hostile = agent(evil, { name: evil, agent: evil, description: evil, lastAction: evil, why: evil, model: evil });
  const strange = { agentId: 5, state: "odd", usage: null, cost: {}, depth: -3 } as unknown as AgentSummary;
  for (const each of [hostile, { ...hostile, state: "aborted" as const }, strange]) {
    const lines = shown(() => [each]).dialog.render(76, 22);
    expect(lines.flatMap(foreignControls)).toEqual([]);
  }
});

test("the view of one agent follows its end, scrolls back and directs it", () => {
  let lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const calls: (readonly unknown[])[] = [];
  const dialog = createAgentView({
    row: () => row,
    transcript: { render: () => lines },
    theme,
    onAct: (...call) => calls.push(call.filter((part) => part !== undefined)),
    onTop: () => calls.push(["top"]),
    onClosed: () => calls.push(["closed"]),
  });
  const row = agentRow(agent("ses_a", { lastAction: "read a.ts" }));
  const text = () => insideOf(dialog, { width: 76, height: 12 }).join("\n");
  expect(text()).toContain("line 39");
  expect(text()).toContain("Running: read a.ts");
  lines = [...lines, "line 40"];
  expect(text()).toContain("line 40");
  press(dialog, "up");
  lines = [...lines, "line 41"];
  expect(text()).not.toContain("line 41");
  press(dialog, "end");
  expect(text()).toContain("line 41");
  press(dialog, "home");
  press(dialog, "i");
  press(dialog, "m");
  type(dialog, "Go on");
  press(dialog, "enter");
  expect(press(dialog, "escape")).toBe(false);
  dialog.closed?.();
  expect(calls).toEqual([["top"], ["interrupt", "ses_a"], ["message", "ses_a", "Go on"], ["closed"]]);
});

test("an agent has the colour of its definition, and one with a colour that nobody knows has none", () => {
  expect(agentRow(agent("ses_a", { color: "purple" })).token).toBe("syntaxKeyword");
  expect(agentRow(agent("ses_a", { color: "evil" as never })).token).toBeUndefined();
  const { dialog } = shown(() => [agent("ses_a"), agent("ses_b", { color: "green" })]);
  const line = dialog.render(76, 22).find((each) => each.includes("ses_b")) ?? "";
  expect(line).toContain(theme().fg("success", "◐ general: Task of ses_b"));
});
