/** Definitions as people write them: spellings of every agent, slips, and who wins on an equal name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { efforts, type Json, type PermissionRule } from "@kedge/protocol";
import { expect, test } from "vitest";
import { builtInAgents, createAgentTable, type RawAgent, type ReadRules, readAgent } from "../src/definitions/index.ts";

const readRules: ReadRules = (value) => ({
  rules: Object.entries(value as { [name: string]: PermissionRule["action"] }).map(([permission, action]) => ({
    ...{ permission, pattern: "*", action },
  })),
  problems: [],
});

function read(fields: { readonly [name: string]: Json }, place: Partial<RawAgent> = {}) {
  const raw: RawAgent = {
    ...{ name: "sample", description: "A sample.", body: "Work.", tier: "user", source: "native", notes: [] },
    fields: new Map(Object.entries(fields)),
    ...place,
  };
  const definition = readAgent(raw, readRules);
  if (definition === undefined) throw new Error("it was left out");
  return definition;
}

test("every tool of the manual can be named without a note", () => {
  const manual = readFileSync(join(import.meta.dirname, "../../../docs/tools.md"), "utf8");
  const modes = new Set(["hashline", "patch", "replace", "mcp__github__"]);
  const tools = [...manual.matchAll(/^\| `([a-z_]+)`/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => !modes.has(name));
  expect(tools.length).toBeGreaterThan(20);
  expect(read({ tools }).notes).toEqual([]);
  expect(read({ tools: ["Teapot"] }).notes).toHaveLength(1);
});

test("servers, skills and temperature of a definition", () => {
  const named = read({ tools: "Read", skills: "brewing, tasting", "mcp-servers": ["shelf"], temperature: "0.3" });
  expect(named).toMatchObject({ tools: ["read", "mcp__shelf__*"], skills: ["brewing", "tasting"], temperature: 0.3 });
  expect(read({ tools: "mcp__shelf, mcp__shelf__find" }).tools).toEqual(["mcp__shelf__*", "mcp__shelf__find"]);
  expect(read({ temperature: "hot" }).notes).toEqual(["temperature must be a number from 0 to 2; it is ignored"]);
});

test("the agents of kedge, as a table", () => {
  const rows = builtInAgents.map(({ name, mode, isHidden, isReadOnly, isBackground, maxTurns, model, tools }) =>
    [
      name,
      mode,
      isHidden ? "hidden" : "listed",
      isReadOnly ? "reads" : "works",
      isBackground ? "behind" : "waits",
      maxTurns,
      model ?? "-",
      tools?.join(" ") ?? "all",
    ].join(" | "),
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      "build | primary | listed | works | waits | 200 | - | all",
      "plan | all | listed | reads | waits | 40 | - | read glob grep list bash webfetch websearch codesearch ast_grep lsp",
      "general | subagent | listed | works | waits | 100 | - | all",
      "explore | subagent | listed | reads | waits | 30 | fast | read glob grep list bash webfetch websearch codesearch ast_grep lsp",
      "verification | subagent | listed | works | waits | 60 | - | read glob grep list bash webfetch websearch codesearch ast_grep lsp",
      "reviewer | subagent | listed | reads | behind | 40 | - | read glob grep list bash webfetch websearch codesearch ast_grep lsp",
      "fp-filter | subagent | listed | reads | waits | 15 | - | read glob grep list bash webfetch websearch codesearch ast_grep lsp",
      "oracle | subagent | listed | reads | behind | 40 | slow | read glob grep list bash webfetch websearch codesearch ast_grep lsp agent",
      "docs | subagent | listed | reads | waits | 20 | fast | read webfetch",
      "coordinator | primary | listed | works | waits | 200 | - | agent send_message task_output task_stop task_create task_get task_list task_update",
      "compaction | subagent | hidden | reads | waits | 1 | - | ",
      "title | subagent | hidden | reads | waits | 1 | fast | set_title",
      "summary | subagent | hidden | reads | waits | 1 | fast | ",
      "hook | subagent | hidden | works | waits | 50 | - | read grep glob list bash",
    ]
  `);
});

test.each<{ readonly tools: Json; readonly names?: readonly string[]; readonly off?: readonly string[] }>([
  { tools: "Read, Grep, Glob, LS", names: ["read", "grep", "glob", "list"] },
  { tools: "Read Grep", names: ["read", "grep"] },
  { tools: ["WebFetch", "TodoWrite", "mcp__github__search"], names: ["webfetch", "todo_write", "mcp__github__search"] },
  { tools: "*" },
  { tools: ["*"] },
  { tools: { write: false, edit: false, bash: true }, off: ["write", "edit"] },
  { tools: { "*": false, read: true }, names: ["read"] },
  { tools: "Task(worker), Read", names: ["agent", "read"] },
])("tools written as $tools", ({ tools, names, off = [] }) => {
  const { tools: read_, disallowedTools } = read({ tools });
  expect({ names: read_, off: disallowedTools }).toEqual({ names, off });
});

test("a command that is named for some uses is closed for all others", () => {
  expect(read({ tools: "Read, Bash(git diff:*)" }).permission).toEqual([
    { permission: "bash", pattern: "*", action: "deny" },
    { permission: "bash", pattern: "git diff *", action: "ask" },
  ]);
  expect(read({ tools: "Read, Bash, Bash(git:*)" }).permission).toEqual([]);
});

test("what a project or a plugin allows is asked about, and what it denies counts", () => {
  const permission = { bash: "allow", edit: "deny" };
  expect(read({ permission }).permission.map(({ action }) => action)).toEqual(["allow", "deny"]);
  for (const tier of ["project", "plugin"] as const)
    expect(read({ permission }, { tier }).permission.map(({ action }) => action)).toEqual(["ask", "deny"]);
});

test.each<{ readonly written: Json; readonly turns: number; readonly isNoted: boolean }>([
  { written: 7, turns: 7, isNoted: false },
  { written: "12", turns: 12, isNoted: false },
  { written: 5_000, turns: 200, isNoted: true },
  { written: 0, turns: 50, isNoted: true },
  { written: "many", turns: 50, isNoted: true },
])("max_turns $written", ({ written, turns, isNoted }) => {
  const { maxTurns, notes } = read({ "max-turns": written });
  expect({ maxTurns, isNoted: notes.length > 0 }).toEqual({ maxTurns: turns, isNoted });
});

test.each<[string, Json, string | undefined]>([
  ["permission-mode", "bypassPermissions", "permission_mode has no effect: an agent has the mode of its session"],
  ["permission-mode", "default", undefined],
  [
    "isolation",
    "container",
    'isolation only supports worktree, so "container" has no effect: it works in the checkout',
  ],
  ["isolation", "none", undefined],
  ["effort", "extreme", `effort must be one of ${efforts.join(", ")}; it is ignored`],
  ["mode", "helper", "mode must be one of primary, subagent, all; it is ignored"],
  ["background", "maybe", "background must be true or false; false is used"],
  ["read-only", "ture", "read_only must be true or false; true is used"],
  ["read-only", "no", undefined],
  ["tools", [], "no tool is named, so it has none; leave the field out for all tools"],
  ["disallowed-tools", "Wrte", 'error: kedge has no tool "Wrte"; it counts only if a custom tool has this name'],
  ["tools", { wirte: false }, 'error: kedge has no tool "wirte"; it counts only if a custom tool has this name'],
  ["disallowed-tools", "mcp__*", undefined],
])("what has no effect is said: %s: %j", (field, value, note) => {
  expect(read({ [field]: value }).notes).toEqual(note === undefined ? [] : [note]);
  const placed = read({ [field]: value }, { lineOf: (name) => (name === field ? 7 : undefined) });
  expect(placed.notes).toEqual(note === undefined ? [] : [`line 7: ${note}`]);
});

test("a slip in what limits an agent limits it", () => {
  expect(read({ "read-only": "ture" }).isReadOnly).toBe(true);
});

test("a colour that no screen has is ignored with a note", () => {
  const coloured = read({ color: "#ff0000" });
  expect(coloured.color).toBeUndefined();
  expect(coloured.notes).toEqual([
    "color must be one of red, orange, yellow, green, cyan, blue, purple, pink; it is ignored",
  ]);
});

test("memory, color and the initial prompt of a definition", () => {
  const given = { tools: "Read, Grep", memory: "Project", color: "purple", "initial-prompt": "Say hello first." };
  expect(read(given)).toMatchObject({
    ...{ memory: "project", color: "purple", initialPrompt: "Say hello first." },
    // It could not keep notes otherwise.
    tools: ["read", "grep", "write", "edit"],
    notes: [],
  });
  expect(read({ memory: "everywhere" }).notes).toEqual(["memory must be user, project or local; it is ignored"]);
});

test("unknown fields are noted, and a disabled one is left out", () => {
  expect(read({ colour: "red" }).notes).toEqual(["the field colour is unknown"]);
  const raw = { name: "a", description: "", body: "x", tier: "user", source: "opencode", notes: [] } as const;
  expect(readAgent({ ...raw, fields: new Map([["disable", true]]) }, readRules)).toBeUndefined();
});

test("the first of a name wins, protected names cannot be taken, and no replacement is wider than what it replaces", () => {
  const project = read({ tools: ["write", "read"] }, { name: "explore", tier: "project" });
  const user = read({}, { name: "explore" });
  const evil = read({}, { name: "build", tier: "project" });
  const table = createAgentTable([project, user, evil]);
  expect(table.find("explore")).toMatchObject({ tier: "project", tools: ["read"], isReadOnly: true });
  expect(table.find("build")?.tier).toBe("built-in");
  expect(table.shadowed.map(({ definition: { name, tier } }) => `${tier} ${name}`)).toEqual([
    "user explore",
    "project build",
    "built-in explore",
  ]);
  expect(table.unknown("exlpore")).toContain("Did you mean explore?");
  expect(table.startable().map(({ name }) => name)).not.toContain("title");
});
