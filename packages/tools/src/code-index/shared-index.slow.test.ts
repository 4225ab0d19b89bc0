import { execFile } from "node:child_process";
import { closeSync, mkdirSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { functionText, type IndexedProject, openIndexedProject, withParseHook } from "../../test/indexed-project.ts";

let project: IndexedProject;
beforeEach(() => {
  project = openIndexedProject();
});
afterEach(() => project.workshop.close());

test.each([
  ["no database at all", () => writeFileSync(project.databasePath, "not a database ".repeat(1_000)), true],
  ["a cut one", () => truncateSync(project.databasePath, 20_000), true],
  [
    "garbage inside",
    () => {
      const descriptor = openSync(project.databasePath, "r+");
      for (let offset = 4_096; offset < statSync(project.databasePath).size; offset += 4_096)
        writeSync(descriptor, Buffer.alloc(512, 0xff), 0, 512, offset);
      closeSync(descriptor);
    },
    true,
  ],
  [
    "another form",
    () => {
      const database = new DatabaseSync(project.databasePath);
      database.exec("PRAGMA user_version=9999");
      database.close();
    },
    false,
  ],
] as const)("an index file that is damaged is built anew: %s", async (_, damage, isTold) => {
  project.putMany(40);
  await project.found("common");
  damage();
  const { count, wasDamaged } = await project.found("common");
  expect({ count, wasDamaged }).toEqual({ count: 40, wasDamaged: isTold });
  expect((await project.found("common")).wasDamaged).toBe(false);
});

test("a place that cannot hold an index is a problem in words", async () => {
  project.put("a.ts", functionText("alpha"));
  mkdirSync(project.databasePath, { recursive: true });
  expect(await project.findings("alpha")).toEqual({
    kind: "failed",
    problem: expect.stringMatching(/^The code index cannot be used \(.+\)\. Search with grep instead\.$/),
  });
  expect(await project.findings("alpha", project.newIndex(), { root: "/" })).toEqual({
    kind: "failed",
    problem: "The root of the file system is too large to index; use grep in a directory.",
  });
});

test("two searches at once through one index parse every file once", async () => {
  project.putMany(30);
  let parsed = 0;
  const counting = withParseHook(() => {
    parsed += 1;
  });
  const index = project.newIndex({ grammars: counting });
  const results = await Promise.all([project.found("common", index), project.found("needle7", index)]);
  expect([...results.map(({ count }) => count), parsed]).toEqual([30, 1, 30]);
});

test("two indexes of one process on the same file do not disturb each other", async () => {
  project.putMany(80);
  const results = await Promise.all([project.found("common"), project.found("common"), project.found("common")]);
  expect(results.map(({ count, coverage }) => ({ count, coverage }))).toEqual(
    Array.from({ length: 3 }, () => ({
      count: 80,
      coverage: { ok: true, filesTotal: 80, filesCurrent: 80, leftOut: 0 },
    })),
  );
});

test("several processes build the same index at the same time", async () => {
  project.putMany(80);
  const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);
  const program = `
    import { createCodeIndex } from ${urlOf("code-index.ts")};
    import { createGrammars } from ${urlOf("../syntax/grammars.ts")};
    import { findRipgrep } from ${urlOf("../searching/find-ripgrep.ts")};
    const [path, root] = process.argv.slice(1);
    const index = createCodeIndex({
      path, ripgrepPath: findRipgrep, childEnvironment: () => ({}), grammars: createGrammars(),
      isSecret: () => false, now: () => performance.now(),
    });
    const reading = { of: () => ({ answer: "allow" }), below: () => () => true };
    const query = { root, query: "common", hitsMax: 5, reading, signal: new AbortController().signal, onProgress: () => {} };
    const { kind, count, coverage } = await index.search(query);
    console.log(JSON.stringify({ kind, count, coverage }));`;
  const run = promisify(execFile);
  const given = ["--input-type=module", "--eval", program, project.databasePath, project.workshop.at("project")];
  const ended = await Promise.all([1, 2, 3].map(() => run(process.execPath, given)));
  const wanted = { kind: "found", count: 80, coverage: { ok: true, filesTotal: 80, filesCurrent: 80, leftOut: 0 } };
  expect(ended.map(({ stdout }): unknown => JSON.parse(stdout))).toEqual([wanted, wanted, wanted]);
  const database = new DatabaseSync(project.databasePath);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.prepare("SELECT count(*) AS count FROM chunks").get()).toEqual({ count: 80 });
  database.close();
});

test("while another process holds the index, the answer comes from what is there", async () => {
  project.put("a.ts", functionText("alpha"));
  await project.found("alpha");
  project.put("b.ts", functionText("alpha"));
  const holder = new DatabaseSync(project.databasePath);
  holder.exec("BEGIN IMMEDIATE");
  const result = await project.findings("alpha");
  holder.exec("ROLLBACK");
  holder.close();
  expect(result).toEqual({
    kind: "found",
    words: ["alpha"],
    hits: [{ path: "a.ts", contentHash: expect.any(String), first: 1, last: 4, symbol: "alpha" }],
    count: 1,
    coverage: { ok: true, filesTotal: 2, filesCurrent: 1, leftOut: 0, stop: "busy" },
    wasDamaged: false,
  });
});

test("a writer that lets go in time is waited for", async () => {
  project.put("a.ts", functionText("alpha"));
  await project.found("alpha");
  project.put("b.ts", functionText("alpha"));
  const holder = new DatabaseSync(project.databasePath);
  holder.exec("BEGIN IMMEDIATE");
  // The grammar is loaded, so the first attempt to write comes before any timer.
  const releasing = withParseHook(() => setTimeout(() => holder.exec("ROLLBACK")));
  const { count, coverage } = await project.found("alpha", project.newIndex({ grammars: releasing }));
  holder.close();
  expect({ count, coverage }).toEqual({ count: 2, coverage: { ok: true, filesTotal: 2, filesCurrent: 2, leftOut: 0 } });
});
