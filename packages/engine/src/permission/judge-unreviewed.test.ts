/** What changed after rules were written for it asks again: only a rule for its very version allows it. */
import type { PermissionMode, PermissionRule, RuleSource } from "@kedge/protocol";
import { expect, test } from "vitest";
import { judge } from "./judge.ts";

const tool = "mcp__tracker__close";

type Given = { readonly source?: RuleSource; readonly mode?: PermissionMode; readonly unreviewed?: string };

function verdict(rules: readonly [pattern: string, action: PermissionRule["action"]][], given: Given = {}) {
  const { source = "user", mode = "default", unreviewed = "its description changed" } = given;
  const version = "close@abc";
  const need = { permission: tool, patterns: [version], always: [version], access: "execute", unreviewed } as const;
  const sets = [
    { source, rules: rules.map(([pattern, action]) => ({ permission: "mcp__tracker__*", pattern, action })) },
  ];
  const lookAtPath = () => ({ place: "inside", otherNames: [] }) as const;
  const call = { tool, needs: [need], readOnly: false, cwd: "/p" };
  return judge(call, { rules: sets, grants: [], mode, lookAtPath });
}

test("a rule for the tool asks, names the reason, and offers to allow this version", () => {
  for (const pattern of ["*", "close*", "close@*"]) {
    expect(verdict([[pattern, "allow"]])).toMatchObject({
      verdict: "ask",
      reason: "close@abc: its description changed",
      grants: [{ permission: tool, pattern: "close@abc", action: "allow" }],
      unanswered: [{ permission: tool, pattern: "close@abc" }],
      canClassify: false,
    });
  }
});

test("a rule for this very version allows it, unless the project wrote the rule", () => {
  expect(verdict([["close@abc", "allow"]]).verdict).toBe("allow");
  expect(verdict([["close@def", "allow"]]).verdict).toBe("ask");
  expect(verdict([["close@abc", "allow"]], { source: "project" }).verdict).toBe("ask");
});

test("a denial stays a denial", () => {
  expect(verdict([["*", "deny"]]).verdict).toBe("deny");
});
