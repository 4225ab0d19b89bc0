/** Names in rules reach their permission in any case and under any alias. */
import { expect, test } from "vitest";
import { canonicalPermission, displayName, namesPermission } from "./names.ts";

test.each<[string, string]>([
  ["Bash", "bash"],
  ["BASH", "bash"],
  ["Task", "agent"],
  ["agent", "agent"],
  ["Write", "edit"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["multi_edit", "edit"],
  ["apply_patch", "edit"],
  ["notebook_edit", "edit"],
  ["NotebookEdit", "edit"],
  ["find", "glob"],
  ["Glob", "glob"],
  ["Read", "read"],
  ["search", "grep"],
  ["LS", "list"],
  ["WebFetch", "webfetch"],
  ["TodoWrite", "todo"],
  ["todo_read", "todo"],
  ["plan_exit", "plan"],
  ["mcp__GitHub__search", "mcp__github__search"],
  ["external_directory", "external_directory"],
])("%s is %s", (name, expected) => {
  expect(canonicalPermission(name)).toBe(expected);
});

test.each<[string, string, boolean]>([
  ["*", "anything", true],
  ["mcp__github__*", "mcp__github__search", true],
  ["MCP__GitHub__*", "mcp__github__search", true],
  ["mcp__github__*", "mcp__gitlab__search", false],
  ["web*", "webfetch", true],
  ["*_edit", "edit", true],
  ["write*", "edit", true],
  ["write*", "read", false],
  ["Task", "agent", true],
  ["read", "edit", false],
])("a rule for %s and the permission %s: %s", (ruleName, permission, expected) => {
  expect(namesPermission(ruleName, permission)).toBe(expected);
});

test("names are displayed as rules are written", () => {
  expect(["bash", "external_directory", "mcp__github__search"].map(displayName)).toEqual([
    "Bash",
    "external_directory",
    "mcp__github__search",
  ]);
});
