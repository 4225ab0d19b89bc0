/** Proves scrub, prune and what deleting leaves on the disk, with the real program on sessions that it ran itself. */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "@kedge/store";
import type { MockRequest, MockTurn } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const secret = "ghp_0123456789abcdefABCDEF0123456789abcd";

/** Runs what the prompt says after `run `, otherwise answers. */
function answer({ body }: MockRequest): MockTurn {
  const last = body.messages?.at(-1);
  const text = typeof last?.content === "string" ? last.content : "";
  if (last?.role === "user" && text.startsWith("run ")) {
    return {
      toolCalls: [{ name: "bash", input: { command: text.slice("run ".length), description: "what was asked" } }],
    };
  }
  return { text: "Done." };
}

async function json(words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await opened().run([...words, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

function opened(): Workbench {
  if (bench === undefined) throw new Error("No workbench is open.");
  return bench;
}

async function newest(): Promise<string> {
  const [session] = (await json(["session", "list"])) as { readonly sessionId: string }[];
  return session?.sessionId ?? "";
}

function filesWith(text: string): readonly string[] {
  const { home } = opened();
  return readdirSync(join(home, "data"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
}

async function storeOldSession({ home, project }: Workbench): Promise<void> {
  const boot = "boot-of-the-test";
  const found = openSqliteStore({
    path: join(home, "data", "kedge.db"),
    blobsDirectory: join(home, "data", "blobs"),
    now: () => Date.UTC(2020, 1, 3),
    randomBytes,
    isAlive: () => false,
  });
  if (!found.ok) throw new Error(found.failure.message);
  const place = { directory: project, projectId: "old", model: "m/a", mode: "default" } as const;
  await found.store.append("ses_old", [{ type: "session.created", ...place, kedgeVersion: "0", boot }], {
    boot,
    durable: false,
  });
  await found.store.close();
}

test("scrub says what it found, changes nothing until --yes, and leaves nothing behind then", async () => {
  bench = await openWorkbench(answer);
  expect((await bench.run(["-p", `my token is ${secret}`])).code).toBe(0);
  const sessionId = await newest();
  expect(await bench.run(["session", "scrub"])).toEqual({
    code: 0,
    stdout: `${sessionId}: secrets in 1 record.\n`,
    stderr: "Nothing changed. Pass --yes to remove them permanently.\n",
  });
  expect(filesWith(secret)).not.toEqual([]);
  const changed = [{ sessionId, contents: 1, files: 0 }];
  expect(await json(["session", "scrub", "--all"])).toEqual({ isDryRun: true, looked: 1, changed });
  expect(await json(["session", "scrub", sessionId, "--yes"])).toEqual({ isDryRun: false, looked: 1, changed });
  expect(filesWith(secret)).toEqual([]);
  expect((await bench.run(["session", "show"])).stdout).toContain("> my token is [REDACTED:github-token]");
  expect(await json(["session", "verify"])).toMatchObject({ sessionId, valid: true, payloadsRemoved: 1 });
  expect(await bench.run(["session", "scrub", "--all", "--yes"])).toEqual({
    code: 0,
    stdout: "No secrets found.\n",
    stderr: "",
  });
});

test("a scrubbed session can be taken up, exported and imported, and shows the marks", async () => {
  bench = await openWorkbench(answer);
  await bench.run(["-p", `my token is ${secret}`]);
  await bench.run(["session", "scrub", "--yes"]);
  expect((await bench.run(["-p", "and now?", "--continue"])).stdout).toBe("Done.\n");
  const [first] = bench.model.requests.at(-1)?.body.messages?.filter(({ role }) => role === "user") ?? [];
  expect(JSON.stringify(first)).toContain("my token is [REDACTED:github-token]");
  await bench.run(["session", "export", "last", "copy.json", "--no-redact"]);
  const imported = (await json(["session", "import", "copy.json"])) as { readonly sessionId: string };
  const { stdout } = await bench.run(["session", "show", imported.sessionId]);
  expect(stdout).toContain("> my token is [REDACTED:github-token]");
});

test("secrets of the user's own list are found, also in stored outputs", async () => {
  bench = await openWorkbench(answer, { permission: { bash: { "seq *": "allow", "cat *": "allow" } } });
  writeFileSync(join(bench.project, "words.txt"), "bluebird-seven\n");
  await bench.run(["-p", "run seq 1 20000; cat words.txt"]);
  const sessionId = await newest();
  const folder = join(bench.home, "data", "tool-output", sessionId);
  expect(filesWith("bluebird-seven")).toContain(join(folder, readdirSync(folder)[0] ?? ""));
  expect(await json(["session", "scrub"])).toEqual({ isDryRun: true, looked: 1, changed: [] });
  writeFileSync(join(bench.home, "secrets.json"), JSON.stringify([{ type: "plain", content: "bluebird-seven" }]));
  expect(await json(["session", "scrub", "--yes"])).toEqual({
    isDryRun: false,
    looked: 1,
    changed: [{ sessionId, contents: expect.any(Number), files: 1 }],
  });
  expect(filesWith("bluebird-seven")).toEqual([]);
  writeFileSync(join(bench.home, "secrets.json"), "half a list");
  const broken = await bench.run(["session", "scrub"]);
  expect({ code: broken.code, stdout: broken.stdout }).toEqual({ code: 1, stdout: "" });
  expect(broken.stderr).toContain("secrets.json, line 1): it must be a list of entries");
});

test("prune deletes nothing that nobody asked for, and with --yes exactly what was", async () => {
  bench = await openWorkbench(answer, { permission: { bash: { "seq *": "allow", "cat *": "allow" } } });
  for (const prompt of ["run seq 1 20000", "second", "third"]) await bench.run(["-p", prompt]);
  const sessions = (await json(["session", "list"])) as { readonly sessionId: string; readonly updatedAt: number }[];
  const nothing = {
    deleted: [],
    inUse: [],
    thinned: { sessions: 0, bytesFreed: 0 },
    garbage: { files: 0, bytesFreed: expect.any(Number) },
    artifacts: { folders: 0, bytesFreed: 0 },
    transcripts: { files: 0, bytesFreed: 0 },
  };
  expect(await json(["session", "prune"])).toEqual({
    isDryRun: false,
    ...nothing,
    snapshots: { kind: "cleaned", bytesFreed: expect.any(Number) },
  });
  const [third, second, first] = sessions;
  const gone = [
    { sessionId: first?.sessionId, title: "run seq 1 20000", updatedAt: first?.updatedAt },
    { sessionId: second?.sessionId, title: "second", updatedAt: second?.updatedAt },
  ];
  const skipped = { kind: "skipped", bytesFreed: 0 };
  expect(await json(["session", "prune", "--keep", "1"])).toEqual({
    ...{ isDryRun: true, ...nothing, deleted: gone, snapshots: skipped },
  });
  const shown = await bench.run(["session", "prune", "--keep", "1"]);
  expect(shown.stdout).toContain(`would delete  ${second?.sessionId}`);
  expect(shown.stderr).toBe("Nothing was deleted. Pass --yes to delete permanently.\n");
  expect(await json(["session", "prune", "--older-than", "1", "--yes"])).toMatchObject({ deleted: [] });
  expect(existsSync(join(bench.home, "data", "tool-output", String(first?.sessionId)))).toBe(true);
  expect(await json(["session", "prune", "--keep", "1", "--yes"])).toEqual({
    ...{ isDryRun: false, ...nothing, deleted: gone, snapshots: skipped },
  });
  expect(existsSync(join(bench.home, "data", "tool-output", String(first?.sessionId)))).toBe(false);
  expect(await json(["session", "list"])).toEqual([third]);
});

test("prune --archived deletes what was put away, and only that", async () => {
  bench = await openWorkbench(answer);
  for (const prompt of ["first", "second"]) await bench.run(["-p", prompt]);
  await bench.run(["session", "archive", "first"]);
  expect(await json(["session", "prune", "--archived", "--yes"])).toMatchObject({ deleted: [{ title: "first" }] });
  expect(await json(["session", "list", "--archived"])).toEqual([]);
  expect(await json(["session", "list"])).toMatchObject([{ title: "second" }]);
});

test("what the settings say is deleted without asking, and nothing that was used today", async () => {
  bench = await openWorkbench(answer, { retention: { days: 30, sizeBytesMax: 1 } });
  await bench.run(["-p", "first"]);
  expect(existsSync(join(bench.home, "data", "retention-enforced"))).toBe(true);
  expect(await json(["session", "list"])).toMatchObject([{ title: "first" }]);
  await storeOldSession(bench);
  rmSync(join(bench.home, "data", "retention-enforced"));
  expect((await bench.run(["-p", "second"])).stderr).toBe("kedge: Deleted 1 session (setting retention).\n");
  expect(await json(["session", "list"])).toMatchObject([{ title: "second" }, { title: "first" }]);
  writeFileSync(join(bench.project, "kedge.json"), JSON.stringify({ retention: { days: 1 } }));
  const { stderr } = await bench.run(["session", "list", "--trust"]);
  expect(stderr).toContain("retention is ignored: a project may not delete your sessions");
});

test("deleting takes the outputs and the pins of snapshots along", async () => {
  bench = await openWorkbench(answer, { permission: { bash: { "seq *": "allow" }, edit: "allow" } });
  await bench.run(["-p", "run seq 1 20000 > file.txt; seq 1 20000"]);
  const sessionId = await newest();
  const pins = () =>
    readdirSync(join(opened().home, "data", "snapshots"), { recursive: true }).filter((path) =>
      String(path).includes(`refs/kedge/${sessionId}/`),
    ).length;
  expect(pins()).toBeGreaterThan(1);
  await bench.run(["session", "delete", sessionId, "--yes"]);
  expect(pins()).toBe(0);
  expect(existsSync(join(bench.home, "data", "tool-output", sessionId))).toBe(false);
});

test("a session can still be undone after a clean-up", async () => {
  bench = await openWorkbench(answer, { permission: { bash: { "seq *": "allow" }, edit: "allow" } });
  await bench.run(["-p", "run seq 1 3 > file.txt"]);
  expect(existsSync(join(bench.project, "file.txt"))).toBe(true);
  expect(await json(["session", "prune"])).toMatchObject({ snapshots: { kind: "cleaned" } });
  expect((await bench.run(["undo"])).stdout).toBe("deleted   file.txt\n");
  expect(existsSync(join(bench.project, "file.txt"))).toBe(false);
});

test("doctor tells where the disk went, and what is missing", async () => {
  bench = await openWorkbench(answer);
  await bench.run(["-p", "first"]);
  const { findings } = (await json(["doctor"])) as { readonly findings: readonly { readonly name: string }[] };
  const sessionId = await newest();
  const bytes = expect.any(Number);
  expect(findings.filter(({ name }) => name === "storage" || name === "sessions")).toEqual([
    {
      name: "storage",
      state: "ok",
      detail: expect.stringMatching(/^database \d+ KB, files 0 bytes, snapshots .*, outputs 0 bytes, caches /),
      storage: {
        ...{ databaseBytes: bytes, freeBytes: bytes, blobBytes: 0, sessions: 1, facts: bytes, filesMissing: 0 },
        largest: [{ sessionId, title: "first", bytes }],
        ...{ snapshotBytes: bytes, artifactBytes: 0, transcriptBytes: 0, cacheBytes: bytes },
      },
    },
    { name: "sessions", state: "ok", detail: expect.stringMatching(`^1 stored, the largest: ${sessionId} \\(`) },
  ]);
});
