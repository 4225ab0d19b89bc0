/** A process of its own that works on snapshots: `node snapshot-process.ts <options> <work> [tree]`, for tests of several at once. */
import { readFileSync } from "node:fs";
import { createGitSnapshots } from "../src/index.ts";
import { never } from "./snapshot-workspace.ts";

const [options = "{}", work = "", tree = ""] = process.argv.slice(2);
const { environment, ...rest } = JSON.parse(options);
const own = { boot: `boot-${process.pid}`, pid: process.pid, startedAt: "" };

const snapshots = createGitSnapshots({
  ...rest,
  environment: () => environment,
  processes: { own, isAlive: ({ pid }) => isRunning(pid) },
});

function isRunning(pid: number): boolean {
  try {
    // The first field after the name in parentheses; a process that nobody has waited for yet is dead as well.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}

if (work === "restore") {
  const paths = (await snapshots.changes(tree, await track())).map(({ path }) => path);
  process.stdout.write("restoring\n");
  await snapshots.restore(tree, paths);
} else {
  for (let round = 0; round < 9; round += 1) {
    const seen = await track();
    if (work === "track-also") await snapshots.track(never, { also: ["ignored.log"] });
    await snapshots.pin(seen, own.boot);
    if (round % 3 === 2) await snapshots.cleanup({ now: Date.now() + round * 3_600_000, olderThanMs: 0 });
  }
}

async function track(): Promise<string> {
  const tracked = await snapshots.track(never);
  if (!tracked.ok) throw new Error(tracked.why);
  return tracked.tree;
}
