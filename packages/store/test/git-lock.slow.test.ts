/** Several processes on one workspace: they take turns, outlive each other's death, and lose nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGitSnapshots, type GitSnapshotsOptions } from "../src/index.ts";
import {
  environment,
  fileName,
  makeLargeRepository,
  never,
  openSnapshotPlace,
  processes,
  putFile,
  repositoryFiles,
  takenTree,
  workspaceFiles,
} from "./snapshot-workspace.ts";

const script = join(import.meta.dirname, "snapshot-process.ts");
const dead = { boot: "dead", pid: 1, startedAt: "" };

let folder: string;
let root: string;
let options: GitSnapshotsOptions;

beforeEach(() => {
  ({ folder, root, options } = openSnapshotPlace({ processes }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const shadow = () => join(options.directory, readdirSync(options.directory)[0] ?? "");

function start(...words: string[]) {
  const { processes: _, ...plain } = options;
  const child = spawn(process.execPath, [script, JSON.stringify({ ...plain, environment }), ...words], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  // An output that nobody reads would keep the end from being told.
  child.stdout.resume();
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code, errors }));
  return { child, ended };
}

describe("the lock", () => {
  test("of a dead process is broken", async () => {
    putFile(root, "a.txt", "1");
    const snapshots = createGitSnapshots(options);
    const before = await takenTree(snapshots);
    writeFileSync(join(shadow(), "lock"), JSON.stringify(dead));
    putFile(root, "a.txt", "2");
    expect(await takenTree(snapshots)).not.toBe(before);
    expect(readdirSync(shadow()).filter((name) => name.startsWith("lock"))).toEqual([]);
  });

  test("that was left half written is broken", async () => {
    putFile(root, "a.txt", "1");
    const snapshots = createGitSnapshots(options);
    const before = await takenTree(snapshots);
    writeFileSync(join(shadow(), "lock"), '{"boot":');
    expect(await takenTree(snapshots)).toBe(before);
  });

  test("of a live process is waited for, and an interruption ends the wait", async () => {
    putFile(root, "a.txt", "1");
    const snapshots = createGitSnapshots(options);
    const before = await takenTree(snapshots);
    writeFileSync(join(shadow(), "lock"), JSON.stringify({ ...dead, boot: "alive" }));
    const control = new AbortController();
    const interrupted = snapshots.track(control.signal);
    const waiting = snapshots.track(never);
    await expect.poll(() => existsSync(join(shadow(), "lock-wanted"))).toBe(true);
    control.abort();
    expect(await interrupted).toEqual({ ok: false, why: "The snapshot was interrupted." });
    rmSync(join(shadow(), "lock"));
    expect(await waiting).toEqual({ ok: true, tree: before, uncovered: [] });
  });
});

test("three processes at once track, pin and clean up, and every pinned tree stays whole", async () => {
  makeLargeRepository(root);
  putFile(root, ".gitignore", "*.log\n");
  putFile(root, "ignored.log", "ignored");
  const state = repositoryFiles(root);
  const snapshots = createGitSnapshots(options);
  const before = await takenTree(snapshots);
  await snapshots.pin(before, "first");
  const atStart = workspaceFiles(root);
  const processes = ["track", "track-also", "track"].map((work) => start(work));
  const trees = new Set<string>();
  let isDone = false;
  const all = Promise.all(processes.map(({ ended }) => ended)).finally(() => {
    isDone = true;
  });
  for (let round = 0; !isDone; round += 1) {
    putFile(root, fileName(round % 250), `round ${round}`);
    trees.add(await takenTree(snapshots));
  }
  expect(await all).toEqual(processes.map(() => ({ code: 0, errors: "" })));
  const after = await takenTree(snapshots);
  const changes = await snapshots.changes(before, after);
  await snapshots.restore(
    before,
    changes.map(({ path }) => path),
  );
  expect(workspaceFiles(root)).toEqual(atStart);
  expect(repositoryFiles(root)).toEqual(state);
  expect(readdirSync(shadow()).filter((name) => /^(lock|track)/.test(name))).toEqual([]);
}, 180_000);

test("a restore that is killed in the middle is completed by repeating it", async () => {
  const random = createSeededRandom();
  console.info(`SEED=${random.seed}`);
  makeLargeRepository(root, 600);
  const snapshots = createGitSnapshots(options);
  const before = await takenTree(snapshots);
  const atStart = workspaceFiles(root);
  for (let round = 0; round < rounds({ usual: 2, long: 10 }); round += 1) {
    for (let number = 0; number < 600; number += 1) putFile(root, fileName(number), `changed ${round}`);
    for (let number = 0; number < 50; number += 1) putFile(root, `new/${number}`, "new");
    const { child, ended } = start("restore", before);
    await once(child.stdout, "data");
    const milestone = join(root, fileName(random.below(600)));
    await expect.poll(() => readFileSync(milestone, "utf8"), { interval: 1 }).toMatch(/^content/);
    child.kill("SIGKILL");
    await ended;
    const repeated = start("restore", before);
    expect(await repeated.ended).toEqual({ code: 0, errors: "" });
    expect(workspaceFiles(root)).toEqual(atStart);
  }
}, 180_000);
