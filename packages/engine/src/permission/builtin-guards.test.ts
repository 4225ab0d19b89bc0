/** Which commands are guarded: by their words, and not by letters that happen to stand in a name. */
import { expect, test } from "vitest";
import { builtinGuard } from "./builtin-guards.ts";
import type { Subject } from "./subject.ts";

function guardOf(text: string, ...commandTexts: readonly string[]): string | undefined {
  const subject: Subject = { permission: "bash", stated: text, spellings: [text], commandTexts, always: [] };
  return builtinGuard(subject, undefined)?.action;
}

test.each([
  ["git clean -fd", "deny"],
  ["git clean -xdf src", "deny"],
  ["git clean --force", "deny"],
  ["git gc --prune=now", "deny"],
  ["terraform state rm aws_instance.a", "deny"],
  ["git push --force origin main", "ask"],
  ["git push origin main -f", "ask"],
  ["git push --force-with-lease=main", "ask"],
  ["git push origin +main", "ask"],
  ["git push origin :old", "ask"],
  ["git branch -D old", "ask"],
  ["git branch --delete --force old", "ask"],
  ["git worktree remove x --force", "ask"],
  ["git stash pop stash@{1}", "ask"],
  ["git reset --hard HEAD~1", "ask"],
  ["git prune", "ask"],
  ["terraform destroy -auto-approve", "ask"],
])("%s: %s", (text, action) => {
  expect(guardOf(text)).toBe(action);
});

test.each([
  "git clean -n foo",
  "git clean -nd",
  "git clean -n src/index",
  "git push origin my-feature",
  "git push origin a-d b",
  "git push",
  "git branch my-Docs",
  "git branch -d merged",
  "git worktree remove x-feature",
  "git reset --soft HEAD~1",
  "terraform plan",
  "cat git clean -fd",
  "git",
])("not %s", (text) => {
  expect(guardOf(text)).toBeUndefined();
});

test("other spellings of the command count too", () => {
  expect(guardOf("git -C x push -f", "git push -f")).toBe("ask");
});
