/** What the counters of different systems say about how a command ended. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchMemory } from "./memory-watch.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kedge-memory-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const killed = { exitCode: null, signal: "SIGKILL" };
const killedInShell = { exitCode: 137, signal: null };
const failed = { exitCode: 2, signal: null };
const succeeded = { exitCode: 0, signal: null };
const ends = [killed, killedInShell, failed, succeeded];

/** What each end means when the counters rise meanwhile, and when they do not. */
function meanings(raise: () => void) {
  const before = watchMemory(root);
  const quiet = ends.map(before.shortage);
  raise();
  return { quiet, raised: ends.map(before.shortage), later: ends.map(watchMemory(root).shortage) };
}

const none = ends.map(() => undefined);
const machine = (count: number) => write("proc/vmstat", `pgfault 9\noom_kill ${count}\nballoon_inflate 0\n`);

test.each([
  ["version 2", "0::/user.slice/a.scope\n", "user.slice/a.scope/memory.events"],
  ["version 2, named from outside", "0::/docker/1\n", "memory.events"],
  ["version 1", "9:name=systemd:/\n4:memory:/a/b\n0::/\n", "memory/a/b/memory.oom_control"],
  ["version 1, with others", "4:cpu,memory:/a\n", "memory/a/memory.oom_control"],
  ["version 1, named from outside", "4:memory:/docker/1\n", "memory/memory.oom_control"],
])("a control group of %s counts what ended behind the command", (_, groups, file) => {
  write("proc/self/cgroup", groups);
  const ours = (count: number) => write(`sys/fs/cgroup/${file}`, `low 0\noom 7\noom_kill ${count}\n`);
  ours(3);
  machine(12);
  const raise = () => {
    ours(4);
    machine(13);
  };
  expect(meanings(raise)).toEqual({ quiet: none, raised: ["command", "command", "process", "process"], later: none });
});

test("without a group only a command that was killed itself is sure to have lacked memory", () => {
  machine(12);
  const raised = ["command", "command", undefined, undefined];
  expect(meanings(() => machine(13))).toEqual({ quiet: none, raised, later: none });
});

test("a system that counts nothing says nothing", () => {
  expect(meanings(() => undefined)).toEqual({ quiet: none, raised: none, later: none });
});
