/** Proves that every command that lists something prints one JSON value with `--json`, and nothing else. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench(() => ({ text: "Answered." }));
  await bench.run(["-p", "Say something about parsers"]);
  writeFileSync(join(bench.project, "table.jsonl"), '{"command":"ls","expected":"allow"}\n');
});
afterAll(() => bench.close());

const listings: readonly (readonly [string, "list" | "object"])[] = [
  ["models", "list"],
  ["models --all --verbose", "list"],
  ["auth list", "list"],
  ["auth status", "list"],
  ["providers", "list"],
  ["providers list", "list"],
  ["token list", "list"],
  ["plugin list", "object"],
  ["plugin marketplace list", "list"],
  ["plugin search", "list"],
  ["plugin validate .", "list"],
  ["permissions test table.jsonl", "object"],
  ["permissions explain bash ls", "object"],
  ["explain path .", "object"],
  ["trust", "object"],
  ["session list", "list"],
  ["session search parsers", "list"],
  ["session search nothing-of-the-kind", "list"],
  ["session show", "list"],
  ["session tree", "list"],
  ["session verify", "object"],
  ["session verify --all", "list"],
  ["journal verify", "object"],
  ["session prune --dry-run", "object"],
  ["session scrub", "object"],
  ["stats", "object"],
  ["cost why", "object"],
  ["doctor", "object"],
  ["config list", "list"],
  ["config path", "list"],
  ["config explain", "object"],
  ["config explain --sources", "object"],
  ["config schema", "object"],
];

test.each(listings)("kedge %s --json", async (command, kind) => {
  const { code, stdout } = await bench.run([...command.split(" "), "--json"]);
  const value: unknown = JSON.parse(stdout);
  expect(typeof value).toBe("object");
  expect(Array.isArray(value) ? "list" : "object").toBe(kind);
  // The doctor finds what is missing on the machine of the test.
  if (command !== "doctor") expect(code).toBe(0);
});

test("one value, also where there is nothing", async () => {
  const elsewhere = { KEDGE_HOME: join(bench.directory, "another-home") };
  for (const command of ["session list", "token list", "providers list", "auth list"]) {
    const { stdout } = await bench.run([...command.split(" "), "--json"], { environment: elsewhere });
    expect({ command, stdout }).toEqual({ command, stdout: "[]\n" });
  }
});

test("undo and redo tell what they changed", async () => {
  const undone = await bench.run(["undo", "--json"]);
  expect(JSON.parse(undone.stdout)).toEqual({ sessionId: expect.stringMatching(/^ses_/), files: [], uncovered: [] });
  const redone = await bench.run(["redo", "--json"]);
  expect(JSON.parse(redone.stdout)).toEqual({ sessionId: expect.stringMatching(/^ses_/), files: [] });
});

test("session show --jsonl prints a fact per line, --json all of them as one list", async () => {
  const lines = await bench.run(["session", "show", "--jsonl"]);
  const list = await bench.run(["session", "show", "--json"]);
  expect(JSON.parse(list.stdout)).toEqual(
    lines.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
});
