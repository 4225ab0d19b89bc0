/** Every form of rules ends in the same ordered list, and what cannot be read says where and why. */
import type { PermissionAction, PermissionRule } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { parsePermissionRules, parseRuleArgument } from "./rule-forms.ts";

function rule(permission: string, pattern: string, action: PermissionAction): PermissionRule {
  return { permission, pattern, action };
}

describe("parsePermissionRules", () => {
  test.each<[string, unknown, readonly PermissionRule[]]>([
    ["nothing", {}, []],
    ["other settings beside", { model: "x/y" }, []],
    ["one action for all", { permission: "ask" }, [rule("*", "*", "ask")]],
    ["an action per permission", { permission: { edit: "deny" } }, [rule("edit", "*", "deny")]],
    [
      "patterns in order",
      { permission: { bash: { "*": "ask", "git *": "allow", "git push *": "deny" } } },
      [rule("bash", "*", "ask"), rule("bash", "git *", "allow"), rule("bash", "git push *", "deny")],
    ],
    [
      "a list",
      {
        permission: [
          { permission: "bash", pattern: "1", action: "ask" },
          { permission: "Write", action: "deny" },
        ],
      },
      [rule("bash", "1", "ask"), rule("edit", "*", "deny")],
    ],
    [
      "lists by action under a permission, deny last whatever the order",
      { permissions: { bash: { deny: ["rm *"], ask: ["git push"], allow: ["git *", "ls"] } } },
      [
        rule("bash", "git *", "allow"),
        rule("bash", "ls", "allow"),
        rule("bash", "git push", "ask"),
        rule("bash", "rm *", "deny"),
      ],
    ],
    [
      "lists of tool texts by action",
      { permissions: { deny: ["Read(./.env)", "Bash(curl:*)"], allow: ["Bash(git *)", "Edit"], ask: ["WebFetch"] } },
      [
        rule("bash", "git *", "allow"),
        rule("edit", "*", "allow"),
        rule("webfetch", "*", "ask"),
        rule("read", ".env", "deny"),
        rule("bash", "curl *", "deny"),
      ],
    ],
    [
      "both settings, the listed denies last and the listed allows first",
      {
        permissions: { allow: ["Bash(rm x)"], deny: ["Edit"] },
        permission: { bash: { "rm *": "deny" }, edit: "allow" },
      },
      [
        rule("bash", "rm x", "allow"),
        rule("bash", "rm *", "deny"),
        rule("edit", "*", "allow"),
        rule("edit", "*", "deny"),
      ],
    ],
    [
      "names by alias and wildcard",
      { permission: { Task: "deny", "MCP__GitHub__*": "ask", "*": "ask" } },
      [rule("agent", "*", "deny"), rule("mcp__github__*", "*", "ask"), rule("*", "*", "ask")],
    ],
    ["patterns named like actions", { permission: { agent: { allow: "deny" } } }, [rule("agent", "allow", "deny")]],
  ])("%s", (_, value, expected) => {
    expect(parsePermissionRules(value, { source: "user" })).toEqual({
      ok: true,
      rules: { source: "user", rules: expected },
    });
  });

  const action = 'one of "allow", "ask" and "deny"';
  const numeric =
    "a key that is not a number, whose order would be lost; write the rules as a list of {permission, pattern, action}";
  const ruleText = "a tool name, or a tool name with a pattern such as Bash(git status)";
  test.each<[unknown, string, string]>([
    ["ask", "", "an object"],
    [{ permission: "never" }, "permission", `${action}, an object or a list of rules`],
    [{ permission: null }, "permission", `${action}, an object or a list of rules`],
    [{ permission: { edit: 3 } }, "permission.edit", `${action}, or an object from pattern to one of these`],
    [{ permission: { bash: { "git *": "yes" } } }, 'permission.bash["git *"]', action],
    [{ permission: { bash: { "7": "ask" } } }, "permission.bash.7", numeric],
    [{ permission: { "0": "ask" } }, "permission.0", numeric],
    [{ permission: ["bash"] }, "permission[0]", "an object with permission, pattern and action"],
    [{ permission: [{ action: "ask" }] }, "permission[0].permission", "a permission name"],
    [{ permission: [{ permission: "a", pattern: 1, action: "ask" }] }, "permission[0].pattern", "a string"],
    [{ permission: [{ permission: "a", action: "no" }] }, "permission[0].action", action],
    [{ permissions: { allow: ["Bash("] } }, "permissions.allow[0]", ruleText],
    [{ permissions: { deny: ["Bash", 1] } }, "permissions.deny[1]", ruleText],
    [{ permissions: { bash: { ask: ["ls", {}] } } }, "permissions.bash.ask[1]", "a pattern"],
  ])("%j is refused", (value, path, expected) => {
    expect(parsePermissionRules(value, { source: "user" })).toEqual({ ok: false, path, expected });
  });
});

describe("parseRuleArgument", () => {
  test.each<[string, PermissionRule]>([
    ["Bash(npm test)", rule("bash", "npm test", "allow")],
    ["Bash(echo (a) b)", rule("bash", "echo (a) b", "allow")],
    ["Bash(a\nb)", rule("bash", "a\nb", "allow")],
    ["Bash(git:*)", rule("bash", "git *", "allow")],
    ["WebFetch(domain:*)", rule("webfetch", "domain:*", "allow")],
    ["edit", rule("edit", "*", "allow")],
    [" Write ", rule("edit", "*", "allow")],
    ["mcp__github__*", rule("mcp__github__*", "*", "allow")],
    ["external_directory(/etc)", rule("external_directory", "/etc", "allow")],
  ])("%j", (text, expected) => {
    expect(parseRuleArgument(text, "allow")).toEqual({ ok: true, rule: expected });
  });

  test.each(["", "Bash(", "Bash()", "(x)", "bash:npm test", "npm test", "Bash(x) y"])("%j is refused", (text) => {
    expect(parseRuleArgument(text, "deny")).toEqual({
      ok: false,
      expected: "a tool name, or a tool name with a pattern such as Bash(git status)",
    });
  });
});
