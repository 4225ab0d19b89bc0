/** What commands show of files that they do not name. */
import { expect, test } from "vitest";
import { place } from "../../../../test/is-free.ts";
import { analyseShell } from "../../index.ts";

const shownBy = (command: string) => analyseShell(command, place).commands.map(({ shows }) => shows);

test.each([
  ...["git log -p", "git log --patch", "git log -U3", "git log -L1,2:a.ts", "git log -1 -p --stat", "git log --cc"],
  ...["git diff", "git diff HEAD~1 --stat -p", "git show", "git show HEAD:a", "git show --stat HEAD:a", "git blame a"],
  ...["git grep x HEAD", "git cat-file -p HEAD:a", "git archive HEAD", "git format-patch -1 --stdout", "git status -v"],
  ...["git stash show -p", "git stash list -p", "git reflog -p", "git commit -v", "git add -p", "git annotate a"],
])("%s shows what git keeps", (command) => {
  expect(shownBy(command)).toEqual(["history"]);
});

test.each([
  ...["git status", "git status --short", "git log", "git log --oneline --graph", "git log --stat", "git branch -a"],
  ...["git diff --stat", "git diff --name-only HEAD~1", "git show --stat HEAD", "git ls-files", "git rev-parse HEAD"],
  ...["git stash list", "git reflog", "git cat-file -t HEAD", "git tag", "git remote -v", "git shortlog -sn HEAD"],
])("%s shows names alone", (command) => {
  expect(shownBy(command)).toEqual(["names"]);
});

test.each([
  ...["grep -r x .", "grep -nri x", "grep --recursive x .", "rg x", "diff -r a b", "cp -r . /tmp/x", "zip -r a.zip ."],
  ...["tar cf a.tar .", "tar -czf a.tgz src", "rsync -a . x", "git stash -u", "git stash push --include-untracked"],
  ...["xargs cat", "xargs -0 grep x", "find . -exec cat {} +", "fd x -x cat"],
])("%s reads files that it does not name", (command) => {
  expect(shownBy(command)[0]).toBe("files");
});

test.each(["grep x a", "cp a b", "tar tf a.tar", "tar xf a.tar", "git add a", "git stash", "ls -R", "find . -name x"])(
  "%s shows nothing else",
  (command) => {
    expect(shownBy(command)).toEqual([undefined]);
  },
);
