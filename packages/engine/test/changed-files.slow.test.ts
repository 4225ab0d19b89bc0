/** What a call changed unsaid is named in its result, by real snapshots of a real folder with a repository in it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FactOf, JsonObject, ModelEvent, Snapshots, Tool } from "@kedge/protocol";
import { createGitSnapshots } from "@kedge/store";
import { afterEach, expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const environment = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function runShell(root: string, command: string): string {
  return execFileSync("bash", ["-c", command], { cwd: root, env: environment, encoding: "utf8", stdio: "pipe" });
}

/** Like a shell: may change anything. The call fails or waits where its input says so. */
function commandTool(root: string): Tool {
  const tool = createTool({
    name: "command",
    readOnly: false,
    run: async (input, { signal }) => {
      const { command, isError, waits } = input as { command: string; isError?: boolean; waits?: boolean };
      const output = runShell(root, command);
      if (waits && !signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      if (isError || waits) return { output, isError: true, title: command };
      return { output, title: command, metadata: { exitCode: 0 } };
    },
  });
  return {
    ...tool,
    needs: (input) => tool.needs(input, root).map((need) => ({ ...need, access: "execute" as const })),
  };
}

function setUp(
  steps: readonly (readonly ModelEvent[])[],
  change: (snapshots: Snapshots) => Snapshots = (same) => same,
) {
  const folder = mkdtempSync(join(tmpdir(), "kedge-changed-files-"));
  folders.push(folder);
  const root = join(folder, "project");
  mkdirSync(root);
  for (const name of ["a.txt", "b.txt"]) writeFileSync(join(root, name), `${name} committed\n`);
  const author = "-c user.name=Test -c user.email=test@example.invalid";
  runShell(root, `git init -q && git add . && git ${author} commit -qm first`);
  writeFileSync(join(root, "a.txt"), "work of a day\n");
  writeFileSync(join(root, "note.txt"), "never committed\n");
  const real = createGitSnapshots({
    directory: join(folder, "snapshots"),
    root,
    environment: () => environment,
    home: join(folder, "home"),
    isInsideGitRepository: true,
  });
  const work: string[] = [];
  const counting: Snapshots = {
    ...real,
    track: (signal, options) => {
      work.push("track");
      return real.track(signal, options);
    },
    changes: (before, after) => {
      work.push("changes");
      return real.changes(before, after);
    },
  };
  const edit = createTool({
    name: "edit",
    readOnly: false,
    run: async (input) => {
      const { path, text } = input as { path: string; text: string };
      writeFileSync(join(root, path), text);
      return { output: "Edited.", title: path, metadata: { diff: `+${text}` } };
    },
  });
  const batch: Tool = {
    ...createTool({
      name: "batch",
      readOnly: false,
      run: async (input, { children }) => {
        const results = await children.run((input as { calls: { tool: string; input: JsonObject }[] }).calls);
        return { output: results.map(({ output }) => output).join("\n"), title: "batch" };
      },
    }),
    needs: () => [],
  };
  const oneEnded = Promise.withResolvers<void>();
  const bothRun = Promise.withResolvers<void>();
  /** Two of it run side by side: `first` ends while `second` still has something to write, which it tells. */
  const beside = createTool({
    name: "beside",
    readOnly: false,
    concurrencySafe: true,
    run: async (input) => {
      const { name } = input as { name: "first" | "second" };
      writeFileSync(join(root, `${name}.txt`), "1");
      if (name === "first") {
        await bothRun.promise;
        return { output: "", title: name };
      }
      bothRun.resolve();
      await oneEnded.promise;
      writeFileSync(join(root, "late.txt"), "2");
      return { output: "Told.", title: name, metadata: { diff: "+2" } };
    },
  });
  const harness = createHarness({
    turns: [...steps.map((events) => calls(...events)), say("done")],
    tools: [commandTool(root), edit, batch, beside, createTool({ name: "look" })],
    snapshots: change(counting),
    rules: [{ source: "user", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
  });
  void harness.waitForFact("tool.ended").then(() => oneEnded.resolve());
  const ends = () =>
    harness
      .facts()
      .filter((fact): fact is FactOf<"tool.ended"> => fact.type === "tool.ended")
      .map(({ outcome, output, metadata }) => ({ outcome, output, ...(metadata !== undefined && { metadata }) }));
  const stepChanges = () => harness.facts().flatMap((fact) => (fact.type === "files.changed" ? [fact.files] : []));
  return { harness, root, ends, stepChanges, work };
}

const discards: readonly (readonly [string, string, string])[] = [
  ["git restore", "git restore .", "modified a.txt"],
  ["git clean", "git clean -fdq", "deleted note.txt"],
  ["rm", "rm b.txt", "deleted b.txt"],
  [
    "an unpacked archive",
    "mkdir x y; echo 1 > x/b.txt; echo 2 > x/c.txt; tar cf y/x.tar -C x .; rm -r x; tar xf y/x.tar; rm -r y",
    "modified b.txt, added c.txt",
  ],
];

test.each(discards)("%s is named below the output", async (_, command, named) => {
  const { harness, ends } = setUp([[call("1", "command", { command: `echo said; ${command}` })]]);
  await harness.prompt(await harness.open(), "go");
  const changedFiles = named.split(", ").map((change) => {
    const [status, path] = change.split(" ");
    return { path, status };
  });
  expect(ends()).toEqual([
    {
      outcome: "completed",
      output: `said\nChanged files: ${named}`,
      metadata: { exitCode: 0, changedFiles, changedFilesTotal: changedFiles.length },
    },
  ]);
  expect(JSON.stringify(harness.requests.at(-1)?.messages)).toContain(`said\\nChanged files: ${named}`);
});

test("twenty names, then a count; a name cannot pass for output", async () => {
  const { harness, ends } = setUp([
    [call("1", "command", { command: "for n in $(seq 10 32); do touch new-$n; done; touch $'0\\nfoo'" })],
  ]);
  await harness.prompt(await harness.open(), "go");
  const paths = ["0\nfoo", ...Array.from({ length: 19 }, (_, index) => `new-${index + 10}`)];
  const names = paths.map((path) => `added ${path.includes("\n") ? '"0\\nfoo"' : path}`).join(", ");
  expect(ends()).toEqual([
    {
      outcome: "completed",
      output: `Changed files: ${names} and 4 more`,
      metadata: {
        exitCode: 0,
        changedFiles: paths.map((path) => ({ path, status: "added" })),
        changedFilesTotal: 24,
      },
    },
  ]);
});

test("each call is told its own changes, and one that throws away an edit of the same step is seen", async () => {
  const { harness, ends, stepChanges } = setUp([
    [
      call("1", "command", { command: "rm b.txt" }),
      call("2", "edit", { path: "a.txt", text: "edited" }),
      call("3", "command", { command: "git restore a.txt" }),
      call("4", "command", { command: "touch c.txt" }),
      call("5", "edit", { path: "d.txt", text: "new" }),
    ],
  ]);
  await harness.prompt(await harness.open(), "go");
  expect(ends().map(({ output }) => output)).toEqual([
    "Changed files: deleted b.txt",
    "Edited.",
    "Changed files: modified a.txt",
    "Changed files: added c.txt",
    "Edited.",
  ]);
  expect(stepChanges()).toEqual([
    [
      { path: "a.txt", status: "modified" },
      { path: "b.txt", status: "deleted" },
      { path: "c.txt", status: "added" },
      { path: "d.txt", status: "added" },
    ],
  ]);
});

test("the calls of a batch tell their changes once", async () => {
  const part = (text: string) => ({ tool: "command", input: { command: text } });
  const { harness, ends, stepChanges } = setUp([
    [call("1", "batch", { calls: [part("rm b.txt"), part("touch c.txt")] })],
  ]);
  await harness.prompt(await harness.open(), "go");
  expect(ends().map(({ output }) => output)).toEqual([
    "Changed files: deleted b.txt",
    "Changed files: added c.txt",
    "Changed files: deleted b.txt\nChanged files: added c.txt",
  ]);
  expect(stepChanges()).toEqual([
    [
      { path: "b.txt", status: "deleted" },
      { path: "c.txt", status: "added" },
    ],
  ]);
});

test("of calls side by side nothing is missed, neither by the one that tells nothing nor by the step", async () => {
  const { harness, ends, stepChanges } = setUp([
    [call("1", "beside", { name: "first" }), call("2", "beside", { name: "second" })],
  ]);
  await harness.prompt(await harness.open(), "go");
  expect(ends().map(({ output }) => output)).toEqual(["Changed files: added first.txt, added second.txt", "Told."]);
  expect(stepChanges()).toEqual([["first.txt", "late.txt", "second.txt"].map((path) => ({ path, status: "added" }))]);
});

const costs: readonly (readonly [string, readonly ModelEvent[], readonly string[]])[] = [
  ["a read", [call("1", "look", {})], []],
  ["a command that changes nothing", [call("1", "command", { command: "true" })], ["track", "track"]],
  ["a command that changes files", [call("1", "command", { command: "rm b.txt" })], ["track", "track", "changes"]],
  [
    "two edits",
    [call("1", "edit", { path: "a.txt", text: "1" }), call("2", "edit", { path: "a.txt", text: "2" })],
    ["track", "track", "changes"],
  ],
  [
    "two commands of which one changes files",
    [call("1", "command", { command: "rm b.txt" }), call("2", "command", { command: "true" })],
    ["track", "track", "changes", "track"],
  ],
];

test.each(costs)("git is asked no more than needed: %s", async (_, events, asked) => {
  const { harness, work } = setUp([events]);
  await harness.prompt(await harness.open(), "go");
  expect(work).toEqual(asked);
});

test("a failed and an interrupted call are told their changes as well", async () => {
  const { harness, ends } = setUp([
    [call("1", "command", { command: "rm b.txt; echo no", isError: true })],
    [call("2", "command", { command: "git restore b.txt", waits: true })],
  ]);
  const sessionId = await harness.open();
  await harness.submit(sessionId, "go");
  await harness.waitForFact("tool.started", 2);
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  await harness.waitForFact("run.ended");
  expect(ends()).toEqual([
    {
      outcome: "failed",
      output: "no\nChanged files: deleted b.txt",
      metadata: { changedFiles: [{ path: "b.txt", status: "deleted" }], changedFilesTotal: 1 },
    },
    {
      outcome: "interrupted",
      output: "Tool execution aborted\nChanged files: added b.txt",
      metadata: { changedFiles: [{ path: "b.txt", status: "added" }], changedFilesTotal: 1 },
    },
  ]);
});

type Breakage = (snapshots: Snapshots) => Snapshots;

/** The first tree is taken; from then on it breaks. */
function breakLater(breaking: Snapshots["track"]): Breakage {
  return (snapshots) => {
    let count = 0;
    return {
      ...snapshots,
      track: (signal, options) => {
        count += 1;
        return count === 1 ? snapshots.track(signal, options) : breaking(signal, options);
      },
    };
  };
}

const breakages: readonly (readonly [string, Breakage])[] = [
  ["cannot be taken", breakLater(async () => ({ ok: false, why: "gone" }))],
  ["throw", breakLater(() => Promise.reject(new Error("gone")))],
  ["cannot be compared", (snapshots) => ({ ...snapshots, changes: () => Promise.reject(new Error("gone")) })],
];

test.each(breakages)("snapshots that %s leave the call as it is and are told once", async (_, breakage) => {
  const { harness, ends, stepChanges } = setUp(
    [[call("1", "command", { command: "echo hi; rm b.txt" }), call("2", "command", { command: "echo there" })]],
    breakage,
  );
  const ended = await harness.prompt(await harness.open(), "go");
  expect(ended.fact).toMatchObject({ type: "run.ended", reason: "completed" });
  expect(ends()).toEqual([
    { outcome: "completed", output: "hi\n", metadata: { exitCode: 0 } },
    { outcome: "completed", output: "there\n", metadata: { exitCode: 0 } },
  ]);
  expect(stepChanges()).toEqual([]);
  const notices = harness.signals().flatMap((signal) => (signal.type === "notice" ? [signal.text] : []));
  expect(notices).toEqual(["Undo is unavailable in this session: gone"]);
});
