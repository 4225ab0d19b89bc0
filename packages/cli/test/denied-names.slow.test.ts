/** A tool that is denied by any of its names is gone under all of them: neither offered to the model nor run for it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const command = { command: "touch made" };
const file = { filePath: "made", content: "x" };
const families = [
  {
    denied: "Shell",
    tools: ["bash"],
    calls: [
      ["bash", command],
      ["Bash", command],
      ["BASH", command],
    ],
  },
  {
    denied: "VIEW",
    tools: ["read"],
    calls: [
      ["read", { filePath: "a.txt" }],
      ["Read", { filePath: "a.txt" }],
    ],
  },
  {
    denied: "find",
    tools: ["glob"],
    calls: [
      ["glob", { pattern: "*" }],
      ["find", { pattern: "*" }],
    ],
  },
  {
    denied: "Search",
    tools: ["grep"],
    calls: [
      ["grep", { pattern: "x" }],
      ["search", { pattern: "x" }],
    ],
  },
  {
    denied: "MultiEdit",
    tools: ["edit", "write", "multi_edit", "apply_patch", "edit_lines", "notebook_edit"],
    calls: [
      ["write", file],
      ["Write", file],
    ],
  },
  { denied: "web_fetch", tools: ["webfetch"], calls: [["webfetch", { url: "http://127.0.0.1:9/" }]] },
  { denied: "Task", tools: ["agent"], calls: [["agent", { prompt: "go", description: "go" }]] },
  { denied: "todo*", tools: ["todo"], calls: [] },
] as const;

test("each family of names", async () => {
  const calls = families.flatMap((family) => family.calls.map(([name, input]) => ({ name, input })));
  const opened = await openWorkbench([...calls.map((call) => ({ toolCalls: [call] })), { text: "Done." }]);
  bench = opened;
  const denials = families.flatMap(({ denied }) => ["--deny", denied]);
  const argv = ["-p", "go", ...denials, "--dangerously-skip-permissions", "--output-format", "stream-json"];
  const { stdout } = await opened.run(argv, { environment: { KUBERNETES_SERVICE_HOST: "1" } });
  const lines: readonly { readonly [member: string]: unknown }[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const gone: ReadonlySet<string> = new Set(families.flatMap(({ tools }) => tools));
  for (const { body } of opened.model.requests) {
    // What our own wire sent a moment ago.
    const { tools = [] } = body as { readonly tools?: readonly { readonly function: { readonly name: string } }[] };
    expect(tools.map((tool) => tool.function.name).filter((name) => gone.has(name))).toEqual([]);
  }
  const outcomes = lines.filter(({ type }) => type === "tool_result").map(({ tool, outcome }) => ({ tool, outcome }));
  expect(outcomes).toHaveLength(calls.length);
  expect(outcomes.filter(({ outcome }) => outcome === "succeeded")).toEqual([]);
  expect(existsSync(join(opened.project, "made"))).toBe(false);
});
