/** MCP servers: how each state looks, what each key does, and what one of them is made of. */
import { expect, test } from "vitest";
import { theme } from "../../../test/picker-samples.ts";
import { insideOf, press, screenOf } from "../../../test/press.ts";
import { createServerDialog } from "./server-dialog.ts";
import { serverDetails } from "./server-rows.ts";

const place = { scope: "user", file: "config.json" };
const servers = [
  {
    ...{ name: "files", type: "stdio", command: "npx", args: ["files", "."], state: "connected", ...place },
    ...{ tools: ["mcp__files__read", "mcp__files__list"], tokens: 1_234, prompts: 0, resources: 3 },
  },
  { name: "docs", state: "needs-auth", ...place },
  { name: "old", state: "failed", error: "it ended with exit code 3", ...place },
  {
    ...{ name: "team", state: "disabled", reason: "not approved", needsApproval: true },
    ...{ scope: "project", file: ".mcp.json" },
  },
  { name: "shifty", state: "connected", tools: ["mcp__shifty__go"], tokens: 40, changedTools: ["go"], ...place },
];

function shown(given: () => typeof servers | readonly [] | undefined = () => servers, problem?: string) {
  const calls: (readonly string[])[] = [];
  const dialog = createServerDialog({
    servers: given,
    problem: () => problem,
    theme,
    onOpen: (name) => calls.push(["open", name]),
    onLog: (name) => calls.push(["log", name]),
    onAct: (action, name) => calls.push([action, name]),
  });
  dialog.render(76, 22);
  return { dialog, calls };
}

test("servers with state, tools and cost", () => {
  expect(screenOf(shown().dialog, { width: 80 })).toMatchInlineSnapshot(`
    "
    ╭─ MCP servers ────────────────────────────────────────────────────────────────╮
    │ ❯                                                  5 entries, type to filter │
    │                                                                              │
    │ ❯ files  2 tools, 1.2k tokens                                      connected │
    │   docs                                                         needs sign-in │
    │   old                                      failed: it ended with exit code 3 │
    │   team                                                        needs approval │
    │   shifty  1 tool, 40 tokens                         connected, tools changed │
    │                                                                              │
    │ up/down select · enter choose · ctrl+o connect · ctrl+d disconnect           │
    │ ctrl+s sign in · ctrl+y approve · ctrl+l log · esc close                     │
    ╰──────────────────────────────────────────────────────────────────────────────╯
    "
  `);
});

test("in 60 columns", () => {
  expect(screenOf(shown().dialog, { width: 60 })).toMatchInlineSnapshot(`
    "
    ╭─ MCP servers ────────────────────────────────────────────╮
    │ ❯                              5 entries, type to filter │
    │                                                          │
    │ ❯ files  2 tools, 1.2k tokens                  connected │
    │   docs                                     needs sign-in │
    │   old                       failed: it ended with exit … │
    │   team                                    needs approval │
    │   shifty  1 tool, 40 tokens     connected, tools changed │
    │                                                          │
    │ up/down select · enter choose · ctrl+o connect           │
    │ ctrl+d disconnect · ctrl+s sign in · ctrl+y approve      │
    │ ctrl+l log · esc close                                   │
    ╰──────────────────────────────────────────────────────────╯
    "
  `);
});

test("none, not yet known, and not to be known", () => {
  expect(insideOf(shown(() => []).dialog)[2]).toBe(
    "No MCP servers. Add one with: kedge mcp add <name> <url | command>.",
  );
  expect(insideOf(shown(() => undefined).dialog)[2]).toBe("Loading MCP servers…");
  expect(insideOf(shown(() => undefined, "The engine is gone.").dialog)[2]).toBe("The engine is gone.");
});

test("each key does its own, and what waits for a person is approved after a question", () => {
  const { dialog, calls } = shown();
  for (const key of ["enter", "ctrl+o", "ctrl+d", "ctrl+s", "ctrl+l"]) press(dialog, key);
  press(dialog, "ctrl+y");
  expect(dialog.title).toBe("MCP servers");
  for (let row = 0; row < 3; row += 1) press(dialog, "down");
  press(dialog, "ctrl+y");
  expect(dialog.title).toBe("Use this server?");
  press(dialog, "n");
  press(dialog, "ctrl+y");
  press(dialog, "y");
  press(dialog, "down");
  press(dialog, "ctrl+y");
  expect(dialog.title).toBe("Accept changed tools?");
  press(dialog, "y");
  expect(calls).toEqual([
    ...["open", "connect", "disconnect", "authorise", "log"].map((action) => [action, "files"]),
    ["approve", "team"],
    ["accept", "shifty"],
  ]);
});

test("one of them with its tools, the longest first, and nothing of it raw", () => {
  const toolList = [
    { name: "mcp__files__list", description: "Lists.", tokens: 20 },
    { name: "mcp__files__read", description: "Reads \u001b[31mred\u001b[0m.", tokens: 1_214, isChanged: true },
  ];
  expect(serverDetails({ ...servers[0], toolList })).toMatchInlineSnapshot(`
    "State          connected
    Configured in  config.json (user)
    Command        npx files .
    Tools          2, about 1,234 tokens if all are loaded
    Prompts        0
    Resources      3

    mcp__files__read  1,214 tokens  (description changed since it was first used)
        Reads red.

    mcp__files__list  20 tokens
        Lists."
  `);
});
