/** For any rules and any call, one more deny never makes the verdict looser. */
import {
  type PermissionAction,
  type PermissionRule,
  permissionModes,
  type RuleSet,
  type RuleSource,
} from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { bash, call, context, edit, read, rule, webfetch } from "../../test/judge-cases.ts";
import { judge, type Verdict } from "./judge.ts";
import type { JudgeCall, JudgeContext } from "./subject.ts";

const rounds = 4_000;

const sources: readonly RuleSource[] = [
  "policy",
  "session",
  "command-line",
  "flag",
  "local",
  "user",
  "project",
  "builtin",
];
const actions: readonly PermissionAction[] = ["allow", "ask", "deny"];
const names = ["*", "read", "Write", "edit", "bash", "webfetch", "external_directory", "secret_file", "deploy", "d*"];
const patterns = ["*", "?", "src/*", "/w/*", "git *", "git status", "rm *", "/etc", "*.env", "~/x", "domain:*", "a.ts"];
const calls: readonly JudgeCall[] = [
  read("a.ts"),
  read(".env"),
  read("/etc/hosts"),
  edit("a.ts", "src/b.ts"),
  edit("/home/dev/x"),
  bash("git status"),
  bash("git status; rm -rf x"),
  webfetch("https://example.com/"),
  call("deploy", [], { readOnly: false }),
  call("deploy", edit("src/b.ts").needs, { readOnly: false }),
];
const strictness: { readonly [Name in Verdict["verdict"]]: number } = { allow: 0, ask: 1, deny: 2 };

test("one more deny never loosens", () => {
  const { seed, below: random } = createSeededRandom();
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item; // The index is in range.
  const someRules = (max: number): PermissionRule[] =>
    Array.from({ length: random(max) }, () => rule(pick(names), pick(patterns), pick(actions)));

  let changed = 0;
  for (let round = 0; round < rounds; round++) {
    const rules = Array.from({ length: random(5) }, (): RuleSet => ({ source: pick(sources), rules: someRules(4) }));
    const before = context({ rules, grants: someRules(3), mode: pick(permissionModes) });
    const deny = rule(pick(names), pick(patterns), "deny");
    const after = withRule(before, deny, random);
    const one = pick(calls);
    const verdicts = [judge(one, before).verdict, judge(one, after).verdict] as const;
    const detail = JSON.stringify({ seed, one, before, deny, verdicts });
    expect(strictness[verdicts[1]], detail).toBeGreaterThanOrEqual(strictness[verdicts[0]]);
    if (verdicts[0] !== verdicts[1]) changed++;
  }
  expect(changed).toBeGreaterThan(rounds / 50);
});

/** At a random place of a random source, or as a source of its own. */
function withRule(before: JudgeContext, added: PermissionRule, random: (below: number) => number): JudgeContext {
  const index = random(before.rules.length + 2);
  if (index === before.rules.length + 1) return { ...before, grants: inserted(before.grants, added, random) };
  const set = before.rules[index];
  if (set === undefined) return { ...before, rules: [...before.rules, { source: "user", rules: [added] }] };
  return { ...before, rules: before.rules.with(index, { ...set, rules: inserted(set.rules, added, random) }) };
}

function inserted(
  rules: readonly PermissionRule[],
  added: PermissionRule,
  random: (below: number) => number,
): readonly PermissionRule[] {
  return rules.toSpliced(random(rules.length + 1), 0, added);
}
