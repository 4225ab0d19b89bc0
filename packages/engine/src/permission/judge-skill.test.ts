/** A skill is judged by its name or by its very version, and an answer for one version holds for no other. */
import type { PermissionRule } from "@kedge/protocol";
import { expect, test } from "vitest";
import { judge } from "./judge.ts";

type Rules = { readonly rules?: readonly PermissionRule[]; readonly grants?: readonly PermissionRule[] };

const rule = (pattern: string, action: PermissionRule["action"] = "allow") => ({
  permission: "skill",
  pattern,
  action,
});

function verdict(name: string, version: string, { rules = [], grants = [] }: Rules = {}) {
  const patterns = [name, `${name}@${version}`];
  const need = { permission: "skill", patterns, always: [`${name}@${version}`], access: "execute" } as const;
  const lookAtPath = () => ({ place: "inside", otherNames: [] }) as const;
  const sets = [{ source: "user", rules }] as const;
  const call = { tool: "skill", needs: [need], readOnly: true, cwd: "/p" };
  return judge(call, { rules: sets, grants, mode: "default", lookAtPath });
}

test("without a rule it asks once, and always means this version", () => {
  expect(verdict("deploy", "abc")).toMatchObject({ verdict: "ask", patterns: ["deploy"], always: ["deploy@abc"] });
  const grants = [rule("deploy@abc")];
  expect(verdict("deploy", "abc", { grants }).verdict).toBe("allow");
  expect(verdict("deploy", "def", { grants }).verdict).toBe("ask");
});

test("rules name a skill exactly or by prefix, and deny wins", () => {
  expect(verdict("deploy", "abc", { rules: [rule("deploy")] }).verdict).toBe("allow");
  expect(verdict("deployer", "abc", { rules: [rule("deploy")] }).verdict).toBe("ask");
  expect(verdict("team:deploy", "abc", { rules: [rule("team:*")] }).verdict).toBe("allow");
  expect(verdict("deploy", "abc", { rules: [rule("deploy", "deny")], grants: [rule("deploy@abc")] }).verdict).toBe(
    "deny",
  );
});
