/** The spellings on which rules that deny or ask are tried, and the patterns proposed for "always". */
import { expect, test } from "vitest";
import { look } from "./summarise.ts";

const spelled: readonly (readonly [command: string, spelling: string])[] = [
  ["/bin/rm x", "rm x"],
  ["RM x", "rm x"],
  ["git -C x push", "git push"],
  ["git --no-pager -c a.b=c push origin", "git push origin"],
  ["git push origin main --force", "git push --force origin main"],
  ["git push origin main --force", "git push -f origin main"],
  ["git push origin --forc main", "git push --force origin main"],
  ["git worktree remove x --force", "git worktree remove --force x"],
  ["git worktree remove x --force", "git worktree remove -f x"],
  ["git worktree --force remove x", "git worktree remove --force x"],
  ["git push -f", "git push --force"],
  ["git push origin +main", "git push --force origin main"],
  ["git push origin :main", "git push --delete origin main"],
  ["git branch -D x", "git branch --delete --force x"],
  ["git branch --delete --force x", "git branch -D x"],
  ["git clean -xdf", "git clean -fdx"],
  ["rm -r -f x", "rm -rf x"],
  ["rm --recursive --force x", "rm -fr x"],
  ["rm -rf x", "rm --recursive --force x"],
  ["rm x -rf", "rm -rf x"],
  ["docker --context x push y", "docker push y"],
  ["npm --prefix x publish", "npm publish"],
  ["npm publi", "npm publish"],
  ["npm i x", "npm install x"],
  ["kubectl -n x delete pod y", "kubectl delete pod y"],
  ["terraform -chdir=x apply", "terraform apply"],
  ["gh -R a/b pr create", "gh pr create"],
  ["curl -XPOST u", "curl --request POST u"],
  ["python3 -m pip install x", "pip install x"],
];

test.each(spelled)("%s is also %s", (command, spelling) => {
  expect(look(command).otherTexts).toContain(spelling);
});

test("a plain command has no other spelling", () => {
  expect(look("git status").otherTexts).toEqual([]);
});

const proposed: readonly (readonly [command: string, pattern: string | undefined])[] = [
  ["git commit -m x", "git commit *"],
  ["npm run lint", "npm run lint *"],
  ["npm test", "npm test *"],
  ["ls -la src", "ls *"],
  ["cargo test", "cargo test *"],
  ["docker compose up", "docker compose up *"],
  ["gh pr list", "gh pr list *"],
  ["make build", "make build *"],
  ["foo bar baz", "foo bar *"],
  ["foo --bar", "foo *"],
  ["./x.sh a", "./x.sh *"],
  ["rm x", undefined],
  ["git push", undefined],
  ["git -C x commit", undefined],
  ["git log --output=x", undefined],
  ["git branch -D x", undefined],
  ["python3 x.py", undefined],
  ["bash x.sh", undefined],
  ["find . -name x", undefined],
  ["awk '{print}' f", undefined],
  ["xargs ls", undefined],
  ["sudo ls", undefined],
  ["ssh h", undefined],
  ["npx tsc", undefined],
  ["docker run x", undefined],
  ["eval ls", undefined],
  ["$X y", undefined],
];

test.each(proposed)("always for %s is %s", (command, pattern) => {
  expect(look(command).suggestion).toBe(pattern);
});
