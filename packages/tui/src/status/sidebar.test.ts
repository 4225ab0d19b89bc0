/** Proves that the column at the right stays in its place, whatever stands in it. */
import type { FileChange, MessageView } from "@kedge/protocol";
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { session, stateWith } from "../../test/status-state.ts";
import { visibleWidth } from "../screen/text-width.ts";
import type { ClientState } from "../state/client-state.ts";
import { changedFiles } from "./changed-files.ts";
import { sidebarLines } from "./sidebar.ts";

const columns = 38;
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is taken away.
const plain = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/\u001b\[[0-9;]*m/g, "").trimEnd());

function patch(id: string, files: readonly FileChange[]): MessageView {
  const part = { type: "patch", before: "tree", files, id: `${id}.1`, messageId: id, time: 1 } as const;
  return { id, sessionId: "ses_1", role: "assistant", createdAt: 1, parts: [part] };
}

test("all sections, with long texts of wide letters and long paths", () => {
  const state = stateWith({
    session: {
      ...session,
      todos: [
        { content: "读取所有配置文件并检查每一个设置是否正确，然后报告结果", status: "completed", priority: "high" },
        { content: "Mend the parser\nand its tests", status: "in_progress", priority: "high" },
        { content: "ship 🚀", status: "pending", priority: "low" },
      ],
    },
    tasks: [
      { sessionId: "ses_1", taskId: "t1", command: "npm run dev -- --port 3000 --host 0.0.0.0", status: "running" },
      { sessionId: "ses_1", taskId: "t2", command: "ls", status: "ended" },
    ],
    messages: [
      patch("m1", [
        { path: "packages/a/very/long/path/that/never/ends/日本語/file.ts", status: "modified" },
        { path: "gone.ts", status: "deleted" },
      ]),
      patch("m2", [{ path: "new.ts", status: "added" }]),
    ],
  });
  const lines = sidebarLines(state, bareTheme(), columns);
  for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(columns);
  expect(plain(lines)).toMatchInlineSnapshot(`
    [
      "│ Mend the build",
      "│",
      "│ Context",
      "│ █████████░░░░░░░░░░░░░░░░░░░░░░░░░░",
      "│ 50k of 200k tokens · $0.0421",
      "│",
      "│ Todo",
      "│ ☑ 读取所有配置文件并检查每一个设置…",
      "│ → Mend the parser and its tests",
      "│ ☐ ship 🚀",
      "│",
      "│ Tasks",
      "│ ◐ npm run dev -- --port 3000 --hos…",
      "│",
      "│ Changed files",
      "│ + new.ts",
      "│ - gone.ts",
      "│ ~ packages/a/very/long/path/that/n…",
    ]
  `);
});

test("a session without anything has its name only", () => {
  const { context: _, ...state } = stateWith({ session: { ...session, title: "" } });
  expect(plain(sidebarLines(state, bareTheme(), columns))).toEqual(["│ New session"]);
});

test("long lists say how much more there is", () => {
  const todos = Array.from({ length: 15 }, (_, index) => ({
    ...{ content: `${index}`, status: "pending" as const, priority: "low" as const },
  }));
  const files = Array.from({ length: 14 }, (_, index): FileChange => ({ path: `${index}.ts`, status: "modified" }));
  const state = stateWith({ session: { ...session, todos }, messages: [patch("m1", files)] });
  const lines = plain(sidebarLines(state, bareTheme(), columns));
  expect(lines.filter((line) => line.includes("more"))).toEqual(["│ and 3 more", "│ and 2 more"]);
});

test("a full window fills the bar and no more", () => {
  const state = stateWith({ context: { tokens: 900, windowTokens: 100, compactAt: 80 } });
  const bar = plain(sidebarLines(state, bareTheme(), columns)).find((line) => line.includes("█"));
  expect(bar).toBe(`│ ${"█".repeat(columns - 3)}`);
});

test.each([undefined, null, 7, "text", [], {}, [null], [{}], -1, Number.NaN])("a server that sends %j", (wrong) => {
  const patched = { ...patch("m1", []), parts: [{ type: "patch", files: wrong }] };
  // No type allows this; what comes over a wire has none.
  const state = {
    ...stateWith(),
    session: { ...session, title: wrong, cost: wrong, todos: wrong },
    tasks: [{ status: "running", command: wrong }],
    messages: [patched, { ...patched, parts: wrong }],
    context: { tokens: wrong, windowTokens: 100, compactAt: wrong },
  } as unknown as ClientState;
  const lines = plain(sidebarLines(state, bareTheme(), columns));
  expect(lines[0]).toBe(wrong === "text" ? "│ text" : "│ New session");
  expect(lines.includes("│ Context")).toBe(wrong === 7 || wrong === -1);
});

test("no width is too small for it", () => {
  for (const width of [0, 1, 2, 3, 5]) {
    for (const line of sidebarLines(stateWith(), bareTheme(), width))
      expect(visibleWidth(line)).toBeLessThanOrEqual(width);
  }
});

test("each changed file is named once, with its last change, the newest first", () => {
  const messages = [
    patch("m1", [
      { path: "a", status: "added" },
      { path: "b", status: "modified" },
    ]),
    patch("m2", [{ path: "a", status: "deleted" }]),
  ];
  expect(changedFiles(messages)).toEqual([
    { path: "a", status: "deleted" },
    { path: "b", status: "modified" },
  ]);
});

test("agents that work stand there with their task, and no more than eight", () => {
  const agent = { agent: "explore", description: "Find the parsers", state: "running" };
  const agents = [
    { ...agent, name: "survey", isAsking: true },
    { ...agent, state: "parked" },
    ...Array.from({ length: 9 }, () => agent),
  ];
  const lines = plain(sidebarLines(stateWith({ agents: agents as never }), bareTheme(), columns));
  const from = lines.indexOf("│ Agents");
  expect(lines.slice(from + 1, from + 3)).toEqual(["│ ! survey Find the parsers", "│ ◐ explore Find the parsers"]);
  expect(lines[from + 9]).toBe("│ and 2 more");
});

test("an agent that failed stays until somebody has looked at the list", () => {
  const agent = { agent: "explore", description: "Find the parsers", state: "aborted", status: "failed" };
  const agents = [
    { ...agent, agentId: "ses_new" },
    { ...agent, agentId: "ses_old" },
    { ...agent, agentId: "ses_stopped", status: "cancelled" },
  ];
  const shown = (seen: readonly string[]) => {
    const state = stateWith({ agents: agents as never, agentsSeen: new Set(seen) });
    return plain(sidebarLines(state, bareTheme(), columns)).filter((line) => line.includes("Find the parsers"));
  };
  expect(shown(["ses_old"])).toEqual(["│ ! explore Find the parsers"]);
  expect(shown(["ses_old", "ses_new"])).toEqual([]);
});

test("servers that are wrong come first, and those that do nothing are not shown", () => {
  const servers = [
    { kind: "mcp", name: "files", state: "connected" },
    { kind: "mcp", name: "off", state: "disabled" },
    { kind: "lsp", name: "typescript", state: "running" },
    { kind: "mcp", name: "docs", state: "needs-auth" },
    { kind: "mcp", name: "old", state: "failed" },
  ] as const;
  const lines = plain(sidebarLines(stateWith({ servers }), bareTheme(), columns));
  expect(lines.slice(lines.indexOf("│ Servers"))).toMatchInlineSnapshot(`
    [
      "│ Servers",
      "│ ! old MCP",
      "│ ! docs MCP needs sign-in",
      "│ • files MCP",
      "│ • typescript LSP",
    ]
  `);
});
