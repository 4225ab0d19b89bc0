/** Proves that the root is found from below and that worktrees of one repository share an id. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProject } from "./project.ts";

let directory = "";
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-project-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function git(cwd: string, ...parameters: string[]): void {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"];
  execFileSync("git", [...identity, ...parameters], { cwd, stdio: "ignore" });
}

test("outside a repository the directory itself is the project", () => {
  const project = findProject(directory);
  expect(project).toEqual({ cwd: directory, root: directory, isGitRepository: false, projectId: project.projectId });
  expect(project.projectId).toMatch(/^[0-9a-f]{64}$/);
});

test("the root is found from a directory below it, and linked worktrees share the id", () => {
  const main = join(directory, "main");
  const below = join(main, "src", "deep");
  mkdirSync(below, { recursive: true });
  git(main, "init", "--quiet");
  git(main, "commit", "--quiet", "--allow-empty", "-m", "first");
  git(main, "worktree", "add", "--quiet", join(directory, "linked"));
  const fromBelow = findProject(below);
  const fromLinked = findProject(join(directory, "linked"));
  expect(fromBelow).toEqual({ cwd: below, root: main, isGitRepository: true, projectId: fromBelow.projectId });
  expect(fromLinked).toEqual({
    cwd: join(directory, "linked"),
    root: join(directory, "linked"),
    isGitRepository: true,
    projectId: fromBelow.projectId,
  });
  const other = join(directory, "other");
  mkdirSync(other);
  git(other, "init", "--quiet");
  expect(findProject(other).projectId).not.toBe(fromBelow.projectId);
});

test("a repository that claims the history of another does not get its id", () => {
  const main = join(directory, "main");
  mkdirSync(main);
  git(main, "init", "--quiet");
  const { projectId } = findProject(main);
  const pointing = join(directory, "pointing");
  mkdirSync(pointing);
  writeFileSync(join(pointing, ".git"), `gitdir: ${main}/.git\n`);
  expect(findProject(pointing)).toMatchObject({ root: pointing, isGitRepository: true });
  expect(findProject(pointing).projectId).not.toBe(projectId);
  const posing = join(directory, "posing");
  const forged = join(posing, "forged");
  mkdirSync(forged, { recursive: true });
  writeFileSync(join(posing, ".git"), `gitdir: ${forged}\n`);
  writeFileSync(join(forged, "commondir"), `${main}/.git\n`);
  writeFileSync(join(forged, "gitdir"), `${posing}/.git\n`);
  expect(findProject(posing).projectId).not.toBe(projectId);
});
