/** Proves with the real program that hooks call tools of MCP servers, and answer questions that servers ask. */
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench | undefined;
afterEach(() => bench?.close());

const small = { command: process.execPath, args: [join(import.meta.dirname, "small-server.mjs")] };
const allowed = { permission: { "mcp__small__*": "allow", bash: { "echo *": "allow" } } };
const bash = (command: string) => ({ toolCalls: [{ name: "bash", input: { command, description: "Say a word" } }] });
const flags = ["-p", "go", "--output-format", "stream-json"];

test("a tool of a server judges calls, with fields of the event as its input", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what hooks are filled by
  const input = { command: "${tool_input.command}" };
  const hook = { type: "mcp_tool", server: "small", tool: "judge", input };
  bench = await openWorkbench([bash("echo secret-word"), bash("echo plain-word"), { text: "Done." }], {
    ...allowed,
    mcp: { small },
    hooks: { PreToolUse: [{ matcher: "bash", hooks: [hook] }] },
  });
  const { stdout } = await bench.run(flags);
  expect(stdout).toContain("judged echo secret-word");
  expect(stdout).toContain('"output":"plain-word');
});

test("a hook of a server that is not there is reported and runs nothing", async () => {
  const hook = { type: "mcp_tool", server: "nobody", tool: "judge", failClosed: true };
  bench = await openWorkbench([bash("echo plain-word"), { text: "Done." }], {
    ...allowed,
    mcp: { small },
    hooks: { PreToolUse: [{ matcher: "bash", hooks: [hook] }] },
  });
  const { stdout } = await bench.run(flags);
  expect(stdout).toContain("there is no MCP server nobody");
  expect(stdout).not.toContain('"output":"plain-word');
});

const answering = (event: string, output: object) => ({
  [event]: [
    {
      matcher: "small",
      hooks: [{ type: "command", command: `echo '${JSON.stringify({ hookSpecificOutput: output })}'` }],
    },
  ],
});

test.each([
  [
    "answers in the place of a person",
    "Elicitation",
    { action: "accept", content: { name: "Ada" } },
    '"name\\\\":\\\\"Ada',
  ],
  ["changes what the server gets", "ElicitationResult", { action: "cancel" }, '"action\\\\":\\\\"cancel'],
] as const)("a hook %s", async (_, event, output, expected) => {
  bench = await openWorkbench([{ toolCalls: [{ name: "mcp__small__ask", input: {} }] }, { text: "Done." }], {
    ...allowed,
    mcp: { small },
    hooks: answering(event, output),
  });
  const { stdout } = await bench.run(flags);
  expect(stdout).toContain("answered");
  expect(stdout.replaceAll("\\", "")).toContain(expected.replaceAll("\\", ""));
});
