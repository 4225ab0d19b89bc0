/** A rule reaches a tool under every name: in any case, by any alias, through any front end and within a batch. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isToolDenied, type JudgeContext, judge, parsePermissionRules } from "@kedge/engine";
import type { Fact, FactOf, Need } from "@kedge/protocol";
import type { MockToolCall } from "@kedge/testing";
import { expect, test } from "vitest";
import { playSession } from "./aliases-session.ts";

type Row = {
  /** How a person may name it in a rule. */
  readonly spellings: readonly string[];
  /** Its tools, none of which may be offered. */
  readonly tools: readonly string[];
  readonly calls: readonly MockToolCall[];
};

const patch = "*** Begin Patch\n*** Add File: ran.txt\n+x\n*** End Patch";
const change = { filePath: "a.txt", oldString: "one", newString: "ran" };

const rows: readonly Row[] = [
  {
    spellings: ["bash", "Bash", "BASH", "shell", "Shell"],
    tools: ["bash"],
    calls: ["bash", "Bash", "BASH"].map((name) => ({
      name,
      input: { command: "touch ran.log", description: "touch" },
    })),
  },
  {
    spellings: ["edit", "Edit", "EDIT", "write", "Write", "multi_edit", "MultiEdit", "apply_patch", "NotebookEdit"],
    tools: ["edit", "write", "multi_edit", "apply_patch", "notebook_edit", "edit_lines"],
    calls: [
      ...["write", "Write", "WRITE"].map((name) => ({ name, input: { filePath: "ran.txt", content: "x" } })),
      ...["edit", "Edit"].map((name) => ({ name, input: change })),
      ...["multi_edit", "MultiEdit", "multiedit"].map((name) => ({
        name,
        input: { filePath: "a.txt", edits: [{ oldString: "one", newString: "ran" }] },
      })),
      ...["apply_patch", "Apply_Patch"].map((name) => ({ name, input: { patchText: patch, patch, input: patch } })),
      ...["notebook_edit", "edit_lines"].map((name) => ({ name, input: change })),
    ],
  },
  {
    spellings: ["glob", "Glob", "find", "FIND"],
    tools: ["glob"],
    calls: ["glob", "Glob", "find", "Find"].map((name) => ({ name, input: { pattern: "*.txt" } })),
  },
  {
    spellings: ["grep", "Grep", "search", "Search"],
    tools: ["grep"],
    calls: ["grep", "GREP", "search", "Search"].map((name) => ({ name, input: { pattern: "one" } })),
  },
  {
    spellings: ["list", "List", "ls", "LS"],
    tools: ["list"],
    calls: ["list", "List"].map((name) => ({ name, input: { path: "." } })),
  },
  {
    spellings: ["read", "Read", "view", "NotebookRead"],
    tools: ["read"],
    calls: ["read", "Read", "READ"].map((name) => ({ name, input: { filePath: "a.txt" } })),
  },
  {
    spellings: ["webfetch", "WebFetch", "web_fetch"],
    tools: ["webfetch"],
    calls: ["webfetch", "WebFetch"].map((name) => ({ name, input: { url: "http://127.0.0.1:9/a" } })),
  },
  {
    spellings: ["todo", "TodoWrite", "todo_write", "todo_read"],
    tools: ["todo_write", "todo_read"],
    calls: ["todo_write", "todo_read"].map((name) => ({ name, input: { todos: [] } })),
  },
  {
    spellings: ["plan", "Plan", "plan_exit", "ExitPlanMode"],
    tools: ["plan_enter", "plan_exit"],
    calls: ["plan_enter", "Plan_Enter"].map((name) => ({ name, input: {} })),
  },
];

const endsOf = (facts: readonly Fact[]) =>
  facts.filter((fact): fact is FactOf<"tool.ended"> => fact.type === "tool.ended");

test.each(rows.flatMap((row) => row.spellings.map((spelling) => ({ ...row, spelling }))))(
  "a deny of $spelling takes the tool out and refuses it under every name",
  async ({ spelling, tools, calls }) => {
    // A batch refuses to change the mode whatever the rules say.
    const isNestable = !tools.includes("plan_enter");
    const nested = { name: "batch", input: { calls: calls.map(({ name, input }) => ({ tool: name, input })) } };
    const given = isNestable ? [...calls, nested] : calls;
    await playSession(given, { [spelling]: "deny" }, ({ offered, facts, project }) => {
      expect(offered.length).toBeGreaterThan(0);
      expect(offered.filter((name) => tools.includes(name))).toEqual([]);
      const ended = endsOf(facts).filter(({ tool }) => tool !== "batch");
      expect(ended.length).toBe(calls.length * (isNestable ? 2 : 1));
      expect(ended.filter(({ outcome }) => outcome === "completed")).toEqual([]);
      expect(facts.filter(({ type }) => type === "permission.asked")).toEqual([]);
      expect(readdirSync(project).filter((name) => name.startsWith("ran"))).toEqual([]);
      expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("one\ntwo\n");
    });
  },
);

test("without the rule the same calls run", async () => {
  const calls = rows
    .flatMap((row) => row.calls)
    .filter(({ name }) => /^(bash|write|find|search|list|read)$/i.test(name));
  await playSession(calls, {}, ({ facts }) => {
    expect(endsOf(facts).filter(({ outcome }) => outcome !== "completed")).toEqual([]);
    expect(endsOf(facts).length).toBe(calls.length);
  });
});

test("a rule about one file or one command holds for every name and for the parts of a batch", async () => {
  const calls: MockToolCall[] = [
    { name: "Bash", input: { command: "touch ran.log", description: "touch" } },
    { name: "Write", input: { filePath: "ran.txt", content: "x" } },
    { name: "batch", input: { calls: [{ tool: "BASH", input: { command: "touch ran.log", description: "touch" } }] } },
    {
      name: "batch",
      input: {
        calls: [{ tool: "MultiEdit", input: { filePath: "ran.txt", edits: [{ oldString: "", newString: "x" }] } }],
      },
    },
  ];
  const permission = { Shell: { "touch *": "deny" }, NotebookEdit: { "ran*": "deny" } };
  await playSession(calls, permission, ({ facts, project }) => {
    const ended = endsOf(facts).filter(({ tool }) => tool !== "batch");
    expect(ended.map(({ outcome, decision }) => ({ outcome, source: decision?.source }))).toEqual(
      ended.map(() => ({ outcome: "refused", source: "rule" })),
    );
    expect(ended.length).toBe(4);
    expect(readdirSync(project).filter((name) => name.startsWith("ran"))).toEqual([]);
  });
});

test.each<[string, MockToolCall]>([
  ["WebFetch", { name: "read", input: { filePath: "http://127.0.0.1:9/a" } }],
  ["Write", { name: "bash", input: { command: "echo x > ran.txt", description: "write" } }],
  ["Write", { name: "bash", input: { command: "echo x | tee ran.txt", description: "write" } }],
  ["MultiEdit", { name: "bash", input: { command: "cp a.txt ran.txt", description: "write" } }],
  ["NotebookEdit", { name: "bash", input: { command: "bash -c 'sed -i s/one/ran/ a.txt'", description: "write" } }],
  ["View", { name: "bash", input: { command: "cat a.txt", description: "read" } }],
  ["Read", { name: "bash", input: { command: "sort < a.txt", description: "read" } }],
])("a deny of %s holds for what reaches the same in another way: %j", async (spelling, call) => {
  await playSession([call], { [spelling]: "deny" }, ({ facts, project }) => {
    expect(endsOf(facts)).toMatchObject([{ outcome: "refused", decision: { behavior: "deny", source: "rule" } }]);
    expect(readdirSync(project).filter((name) => name.startsWith("ran"))).toEqual([]);
    expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("one\ntwo\n");
  });
});

function ruleSetOf(permission: object) {
  const parsed = parsePermissionRules({ permission }, { source: "user" });
  if (!parsed.ok) throw new Error(parsed.path);
  return parsed.rules;
}

test.each([
  ["Task", "agent"],
  ["agent", "task"],
  ["TASK", "Agent"],
  ["mcp__github__*", "mcp__GitHub__create_issue"],
  ["MCP__GITHUB__*", "mcp__github__search"],
  ["WebSearch", "websearch"],
  ["web_search", "WebSearch"],
  ["CodeSearch", "codesearch"],
  ["AskUserQuestion", "question"],
  ["*_edit", "write"],
])("a deny of %s reaches %s", (spelling, tool) => {
  const rules = [ruleSetOf({ [spelling]: "deny" })];
  const need: Need = { permission: tool, patterns: ["x"], always: [], access: "execute" };
  const context: JudgeContext = {
    rules,
    grants: [],
    mode: "bypass",
    lookAtPath: () => ({ place: "inside", otherNames: [] }),
  };
  expect(isToolDenied(tool, rules)).toBe(true);
  expect(judge({ tool, needs: [need], readOnly: true, cwd: "/w" }, context)).toMatchObject({
    verdict: "deny",
    decision: { source: "rule", rules: [{ source: "user", pattern: "*", action: "deny" }] },
  });
  expect(judge({ tool, needs: [], readOnly: true, cwd: "/w" }, context)).toMatchObject({ verdict: "deny" });
});

test("the case of values counts", () => {
  const rules = [ruleSetOf({ webfetch: { "https://E.example/*": "deny" }, skill: { Deploy: "deny" } })];
  const context: JudgeContext = {
    rules,
    grants: [],
    mode: "bypass",
    lookAtPath: () => ({ place: "inside", otherNames: [] }),
  };
  const verdictOf = (tool: string, pattern: string) => {
    const need: Need = { permission: tool, patterns: [pattern], always: [], access: "network" };
    return judge({ tool, needs: [need], readOnly: true, cwd: "/w" }, context).verdict;
  };
  expect(verdictOf("skill", "Deploy")).toBe("deny");
  expect(verdictOf("skill", "deploy")).toBe("allow");
  expect(verdictOf("WebFetch", "https://E.example/a")).toBe("deny");
  expect(verdictOf("WebFetch", "https://e.example/a")).toBe("allow");
});
