/** Commands of git that destroy refs, stash entries and commits: undo brings them back, redo takes them again. */
import { afterAll, describe, expect, test } from "vitest";
import { linesOf, readTree } from "./file-tree.ts";
import { bash } from "./scenario-calls.ts";
import { failedCalls, openSite, runAsUser, UndoSites } from "./undo-site.ts";

const sites = new UndoSites();
afterAll(() => sites.close());

/** Everything that the user would miss, in words of git itself. */
function stateOf(root: string): string {
  return runAsUser(
    root,
    "git rev-parse --symbolic-full-name HEAD; git for-each-ref --format='%(refname) %(objectname)'; git stash list --format='%gd %H %ct %gs'; git status --porcelain",
  );
}

const setUp = `
printf 2 > src/two.txt && git add src && git commit -qm second
git branch kept HEAD~1 && git branch -q work
git checkout -q work && printf w > src/work.txt && git add src && git commit -qm work && git checkout -q main
git tag mark work
printf s1 > src/a.txt && git stash push -q -m 'first of the user' src/a.txt
printf s2 > src/a.txt && git stash push -q -m 'second of the user' src/a.txt
git pack-refs --all && git branch loose
printf staged > src/staged.txt && git add src/staged.txt && printf more >> src/staged.txt`;

/** `isLoss`: a commit is gone from the repository afterwards, unless somebody kept it. */
const commands: readonly (readonly [string, string])[] = [
  ["a branch deleted", "git branch -D work"],
  ["branches deleted, loose and packed", "git branch -D work kept loose && git tag -d mark"],
  ["a branch replaced by one in a folder of its name", "git branch -D loose && git branch loose/deep"],
  ["a reset to an earlier commit", "git reset -q --hard HEAD~1"],
  ["a reset that loses what was staged", "git reset -q --hard"],
  ["a ref deleted", "git update-ref -d refs/heads/work"],
  ["the newest stash entry dropped", "git stash drop -q"],
  ["an older stash entry dropped", "git stash drop -q stash@{1}"],
  ["the stash cleared", "git stash clear"],
  ["a stash entry popped", "git stash pop -q"],
  [
    "a branch and its commits pruned at once",
    "git branch -D work && git tag -d mark && git reflog expire --expire=now --all && git gc -q --prune=now",
  ],
  [
    "the stash cleared and pruned at once",
    "git stash clear && git reflog expire --expire=now --expire-unreachable=now --all && git gc -q --prune=now",
  ],
];

describe("refs and stash entries", () => {
  test.each(commands)("%s", async (_, command) => {
    const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
    runAsUser(site.root, setUp);
    const sessionId = await site.open();
    const before = { tree: linesOf(readTree(site.root)), refs: stateOf(site.root) };
    const facts = await site.prompt(sessionId, [bash(command)]);
    expect([...failedCalls(facts), ...site.notices()]).toEqual([]);
    const after = { tree: linesOf(readTree(site.root)), refs: stateOf(site.root) };
    expect(after.refs).not.toBe(before.refs);
    const now = () => ({ tree: linesOf(readTree(site.root)), refs: stateOf(site.root) });
    expect(await site.engine.send({ type: "session.undo", sessionId })).toMatchObject({
      ...{ ok: true, value: { uncovered: [] } },
    });
    expect(now()).toEqual(before);
    expect(runAsUser(site.root, "git fsck --connectivity-only 2>&1 | grep -v dangling || true")).toBe("");
    expect(await site.engine.send({ type: "session.redo", sessionId })).toMatchObject({ ok: true });
    expect(now()).toEqual(after);
    expect(await site.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: true });
    expect(now()).toEqual(before);
  });

  test("a ref that the user moved since is left and named", async () => {
    const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
    runAsUser(site.root, setUp);
    const sessionId = await site.open();
    await site.prompt(sessionId, [bash("git branch -D work kept")]);
    runAsUser(site.root, "git branch work main");
    const moved = runAsUser(site.root, "git rev-parse work");
    expect(await site.engine.send({ type: "session.undo", sessionId })).toMatchObject({
      ...{ ok: true, value: { uncovered: ["refs/heads/work"] } },
    });
    expect(runAsUser(site.root, "git rev-parse work")).toBe(moved);
    expect(runAsUser(site.root, "git rev-parse kept")).toBe(runAsUser(site.root, "git rev-parse main~1"));
  });

  test("hooks and programs of the repository are not run", async () => {
    const site = await openSite({ place: sites.newPlace("git"), kind: "git" });
    runAsUser(site.root, setUp);
    const sessionId = await site.open();
    await site.prompt(sessionId, [bash("git branch -D work")]);
    const hook = ".git/hooks/reference-transaction";
    runAsUser(site.root, `mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ran-a-hook\\n' > ${hook}; chmod +x ${hook}`);
    expect(await site.engine.send({ type: "session.undo", sessionId })).toMatchObject({ ok: true });
    expect(readTree(site.root).has("ran-a-hook")).toBe(false);
  });
});
