import type { PermissionAction, PermissionRule } from "@kedge/protocol";
import { expect, test } from "vitest";
import { isToolAllowed, isToolDenied } from "./whole-tool.ts";

const rule = (permission: string, pattern: string, action: PermissionAction): PermissionRule => ({
  permission,
  pattern,
  action,
});

test.each([
  ["bash", [rule("bash", "*", "deny")], true],
  ["bash", [rule("Bash", "*", "deny")], true],
  ["write", [rule("edit", "*", "deny")], true],
  ["edit", [rule("write", "*", "deny")], true],
  ["read", [rule("*", "*", "deny")], true],
  ["read", [rule("edit", "*", "deny")], false],
  ["bash", [rule("bash", "rm *", "deny")], false],
  ["bash", [rule("bash", "*", "deny"), rule("bash", "npm test", "allow")], false],
  ["bash", [rule("bash", "*", "deny"), rule("bash", "rm *", "deny")], true],
  ["bash", [rule("bash", "npm test", "allow"), rule("bash", "*", "deny")], true],
  ["bash", [rule("bash", "*", "ask")], false],
] as const)("%s under %j is denied altogether: %s", (tool, rules, expected) => {
  expect(isToolDenied(tool, [{ source: "user", rules }])).toBe(expected);
});

test("one source is enough, whatever another allows", () => {
  const allow = { source: "user", rules: [rule("bash", "*", "allow")] } as const;
  const deny = { source: "project", rules: [rule("bash", "*", "deny")] } as const;
  expect(isToolDenied("bash", [allow, deny])).toBe(true);
  expect(isToolDenied("bash", [allow])).toBe(false);
});

test.each([
  ["no rule", [], false],
  ["an allowance for everything", [rule("websearch", "*", "allow")], true],
  ["an allowance under another name", [rule("WebSearch", "*", "allow")], true],
  ["an allowance for a part", [rule("websearch", "docs *", "allow")], false],
  ["a question about a part", [rule("websearch", "*", "allow"), rule("websearch", "x", "ask")], false],
  ["a later denial", [rule("websearch", "*", "allow"), rule("websearch", "secret", "deny")], false],
] as const)("may run where nobody can be asked, with %s", (_, rules, allowed) => {
  expect(isToolAllowed("websearch", [{ source: "user", rules }])).toBe(allowed);
});
