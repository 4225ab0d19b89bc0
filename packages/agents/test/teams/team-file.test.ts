/** The file of a team as anybody of this user can leave it: whole, cut off, or of another shape. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTeamFolders, readTeamFile, type TeamFile, teamPaths } from "../../src/teams/index.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-team-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const process = { pid: 7, startedAt: "1", boot: "b" };
const member = { name: "a", agentId: "ses_1", agent: "general", backend: "tmux", color: "blue", state: "working" };
const whole = {
  ...{ name: "tea", description: "", root: "/x", createdAt: 1, publicKey: "k", leader: { sessionId: "s", process } },
  members: [{ ...member, joinedAt: 2, process }],
} as TeamFile;

function reads(value: unknown): boolean {
  const paths = teamPaths(home, "tea");
  makeTeamFolders(paths);
  writeFileSync(paths.file, typeof value === "string" ? value : JSON.stringify(value));
  return readTeamFile(paths) !== undefined;
}

test("a whole file is read, and one that is cut off or of another shape is no team", () => {
  expect(reads(whole)).toBe(true);
  expect(reads({ ...whole, endedAt: 3, members: [] })).toBe(true);
  const text = JSON.stringify(whole);
  for (let length = 0; length < text.length; length += 1) expect(reads(text.slice(0, length)), `${length}`).toBe(false);
  const others: readonly unknown[] = [
    ...[null, [], "x", {}, { ...whole, leader: {} }, { ...whole, leader: { sessionId: "s" } }],
    ...[
      { ...whole, members: [{}] },
      { ...whole, members: {} },
      { ...whole, endedAt: "now" },
    ],
    { ...whole, leader: { sessionId: "s", process: { ...process, pid: -1 } } },
    { ...whole, members: [{ ...member, joinedAt: 1, process: { pid: "1" } }] },
  ];
  for (const other of others) expect(reads(other), JSON.stringify(other)).toBe(false);
});

test("a folder in the place of the file is told, not taken for a team", () => {
  const paths = teamPaths(home, "tea");
  mkdirSync(paths.file, { recursive: true });
  expect(() => readTeamFile(paths)).toThrow(/EISDIR/);
});
