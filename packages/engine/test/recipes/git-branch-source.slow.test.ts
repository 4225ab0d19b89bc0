/** Proves the recipe for a source of context on a real repository. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createHarness, say } from "../harness.ts";
import { createGitBranchSource } from "./git-branch-source.ts";

const root = mkdtempSync(join(tmpdir(), "kedge-branch-"));
afterEach(() => rmSync(root, { recursive: true }));

test("the branch is told once, and again when another one is checked out", async () => {
  const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: root, stdio: "ignore" });
  git("init", "--initial-branch=main");
  const turns = [say("One."), say("Two."), say("Three.")];
  const harness = createHarness({ turns, parts: { contextSources: [createGitBranchSource(root)] } });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "One");
  await harness.prompt(sessionId, "Two");
  git("checkout", "-b", "topic");
  await harness.prompt(sessionId, "Three");
  const told = harness.facts().flatMap((fact) => (fact.type === "step.started" ? [fact.reminders.join()] : []));
  expect(told).toEqual([
    expect.stringMatching(
      /<untrusted-data source="git branch" origin=".git\/HEAD">\nOn branch main\n<\/untrusted-data>$/,
    ),
    "",
    expect.stringContaining("\nOn branch topic\n"),
  ]);
});
