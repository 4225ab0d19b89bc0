import { readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { functionText, type IndexedProject, openIndexedProject, withParseHook } from "../../test/indexed-project.ts";

let project: IndexedProject;
beforeEach(() => {
  project = openIndexedProject();
});
afterEach(() => project.workshop.close());

test("definitions come before mentions, and every word of the question counts", async () => {
  project.put("src/session-store.ts", functionText("openSessionStore", "return database;"));
  project.put(
    "src/session-cleanup.ts",
    functionText("removeExpiredSessions", "for (const session of all) drop(session);"),
  );
  project.put("src/mail.ts", functionText("sendMail", "const store = openSessionStore();", "return store;"));
  project.put("src/payment.py", "def charge_card(card):\n    amount = 1\n    receipt = 2\n    return amount\n");
  project.put("docs/notes.md", "Sessions are removed by a job.\n");
  expect((await project.places("openSessionStore"))[0]).toBe("src/session-store.ts openSessionStore");
  expect((await project.places("where do we remove expired sessions?"))[0]).toBe(
    "src/session-cleanup.ts removeExpiredSessions",
  );
  expect((await project.places("card charging"))[0]).toBe("src/payment.py charge_card");
  expect((await project.places("open session store")).slice(0, 2)).toEqual([
    "src/session-store.ts openSessionStore",
    "src/mail.ts sendMail",
  ]);
  expect(await project.places("unheardof")).toEqual([]);
});

test("a hit says where it is, and the count says how many there are", async () => {
  project.put("a.ts", `const before = 1;\n\n${functionText("target", "return before;")}`);
  project.put("b.ts", "// target\n");
  const { hits, count, coverage, wasDamaged } = await project.found("target", project.newIndex(), { hitsMax: 1 });
  expect(hits).toEqual([
    { path: "a.ts", contentHash: expect.stringMatching(/^[0-9a-f]{64}$/), first: 3, last: 7, symbol: "target" },
  ]);
  expect({ count, coverage, wasDamaged }).toEqual({
    count: 2,
    coverage: { ok: true, filesTotal: 2, filesCurrent: 2, leftOut: 0 },
    wasDamaged: false,
  });
});

test("changed, deleted, renamed and new files are seen by the next search", async () => {
  project.put("a.ts", functionText("alpha"));
  project.put("b.ts", functionText("beta"));
  project.put("c.ts", functionText("gamma"));
  expect(await project.places("alpha beta gamma")).toHaveLength(3);
  project.put("a.ts", functionText("delta"));
  rmSync(project.workshop.at("project/b.ts"));
  renameSync(project.workshop.at("project/c.ts"), project.workshop.at("project/renamed.ts"));
  project.put("d.ts", functionText("epsilon"));
  expect(await project.places("alpha")).toEqual([]);
  expect(await project.places("beta")).toEqual([]);
  expect(await project.places("gamma")).toEqual(["renamed.ts gamma"]);
  expect(await project.places("delta")).toEqual(["a.ts delta"]);
  expect(await project.places("epsilon")).toEqual(["d.ts epsilon"]);
});

test("a change that keeps size and modification time is seen", async () => {
  const path = project.put("a.ts", functionText("alpha"));
  utimesSync(path, 1_000, 1_000);
  await project.places("alpha");
  project.put("a.ts", functionText("gamma"));
  utimesSync(path, 1_000, 1_000);
  expect(await project.places("gamma")).toEqual(["a.ts gamma"]);
});

test("only files whose content changed are parsed again", async () => {
  let parsed = 0;
  const counting = withParseHook(() => {
    parsed += 1;
  });
  const index = project.newIndex({ grammars: counting });
  project.putMany(5);
  await project.places("common", index);
  expect(parsed).toBe(5);
  project.put("many/file-0.ts", functionText("changed"));
  utimesSync(project.workshop.at("project/many/file-1.ts"), 1, 1);
  await project.places("common", index);
  expect(parsed).toBe(6);
});

test("ignored, secret, binary, large, minified and linked files and lock files are not in the index", async () => {
  project.put(".gitignore", "ignored/\n");
  project.put("ignored/a.ts", functionText("needle"));
  project.put(".env", "NEEDLE=1\n");
  project.put("sub/.env.local", "NEEDLE=1\n");
  project.put("node_modules/x/index.js", functionText("needle"));
  project.put("package-lock.json", '{"needle": 1}\n');
  project.put("binary.dat", Buffer.from("needle\0needle"));
  project.put("latin.txt", Buffer.from("needle f\xfcr\n", "latin1"));
  project.put("large.txt", "needle\n".repeat(160_000));
  project.put("packed.js", `${"needle();".repeat(1_000)}\n`);
  project.workshop.put("outside.ts", functionText("needle"));
  symlinkSync(project.workshop.at("outside.ts"), project.workshop.at("project/link.ts"));
  project.put(".hidden/b.ts", functionText("needle"));
  expect(await project.places("needle")).toEqual([".hidden/b.ts needle"]);
  expect(readFileSync(project.databasePath).includes(".env")).toBe(false);
});

test("a file that becomes ignored or secret leaves the index", async () => {
  project.put("a.ts", functionText("needle"));
  project.put("b.ts", functionText("needle"));
  expect(await project.places("needle")).toHaveLength(2);
  project.put(".ignore", "a.ts\n");
  expect(
    await project.places(
      "needle",
      project.newIndex({ isSecret: (path) => path === project.workshop.at("project/b.ts") }),
    ),
  ).toEqual([]);
});

test("identifiers of all scripts are found, whole and by their parts", async () => {
  project.put("größe.ts", functionText("größeBerechnen", 'const text = "計算する";', "return обновитьСессию;"));
  for (const query of ["größe berechnen", "gro\u0308ßeBerechnen", "計算", "сессию"])
    expect(await project.places(query)).toEqual(["größe.ts größeBerechnen"]);
});

test("the index is private to the user", async () => {
  project.put("a.ts", functionText("alpha"));
  await project.places("alpha");
  expect(statSync(project.databasePath).mode & 0o777).toBe(0o600);
  expect(statSync(project.workshop.at("data/code-index")).mode & 0o777).toBe(0o700);
});

test("an aborted search leaves an index that the next one completes", async () => {
  project.putMany(120);
  const controller = new AbortController();
  let parsed = 0;
  const aborting = withParseHook(() => {
    parsed += 1;
    if (parsed === 60) controller.abort();
  });
  const index = project.newIndex({ grammars: aborting });
  expect(await project.findings("common", index, { signal: controller.signal })).toEqual({ kind: "interrupted" });
  const database = new DatabaseSync(project.databasePath);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.prepare("SELECT count(*) AS count FROM files").get()).toEqual({ count: 60 });
  database.close();
  const { count, coverage } = await project.found("common", index);
  expect({ count, coverage, parsed }).toEqual({
    count: 120,
    coverage: { ok: true, filesTotal: 120, filesCurrent: 120, leftOut: 0 },
    parsed: 120,
  });
  expect(await project.findings("common", index, { signal: AbortSignal.abort() })).toEqual({ kind: "interrupted" });
});

test("a search that may not take longer answers from what it has, and the next one goes on", async () => {
  project.putMany(100);
  let clockMs = 0;
  // The list of files comes from a real process, which has as long as the limit says.
  const slow = project.newIndex({ now: () => (clockMs += 300), refreshTimeoutMs: 30_000 });
  const { count, coverage } = await project.found("common", slow);
  if (!coverage.ok) throw new Error("not reached");
  expect(coverage).toEqual({ ok: true, filesTotal: 100, filesCurrent: count, leftOut: 0, stop: "time" });
  expect(count).toBeGreaterThan(10);
  expect(count).toBeLessThan(100);
  expect((await project.found("common")).count).toBe(100);
});

test("progress is told while it lasts", async () => {
  project.putMany(10);
  let clockMs = 0;
  const lines: string[] = [];
  await project.found("common", project.newIndex({ now: () => (clockMs += 100) }), {
    onProgress: (line) => lines.push(line),
  });
  expect(lines[0]).toMatch(/^indexing: \d+ of 10 files\n$/);
});

test("what does not fit is left out and said; changed files keep their place", async () => {
  project.putMany(400);
  const index = project.newIndex({ sizeBytesMax: 150_000 });
  const { count, coverage } = await project.found("common", index);
  expect(coverage).toEqual({ ok: true, filesTotal: 400, filesCurrent: count, leftOut: 0, stop: "size" });
  expect(count).toBeGreaterThan(30);
  expect(count).toBeLessThan(400);
  const { hits } = await project.found("common", index, { hitsMax: 1 });
  project.put(hits[0]?.path ?? "", functionText("freshlyWritten"));
  expect(await project.places("freshlyWritten", index)).toEqual([`${hits[0]?.path} freshlyWritten`]);
  expect(statSync(project.databasePath).size).toBeLessThan(400_000);
});

test("directories have indexes of their own; those unused make room, those gone are forgotten", async () => {
  project.workshop.put("one/a.ts", functionText("alpha"));
  project.workshop.put("two/b.ts", functionText("alpha"));
  const index = project.newIndex();
  const roots = () => {
    const database = new DatabaseSync(project.databasePath);
    const rows = database.prepare("SELECT path FROM roots ORDER BY path").all();
    database.close();
    return rows.map(({ path }) => basename(String(path)));
  };
  expect(await project.places("alpha", index, { root: project.workshop.at("one") })).toEqual(["a.ts alpha"]);
  expect(await project.places("alpha", index, { root: project.workshop.at("two") })).toEqual(["b.ts alpha"]);
  expect(roots()).toEqual(["one", "two"]);
  rmSync(project.workshop.at("one"), { recursive: true });
  await project.places("alpha", index, { root: project.workshop.at("two") });
  expect(roots()).toEqual(["two"]);
  project.putMany(400);
  await project.places("common", project.newIndex({ sizeBytesMax: 150_000 }));
  expect(roots()).toEqual(["project"]);
});
