/** What a run was given is in its record: it is checked with it, gone on with it, and given to another model. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
const schema = JSON.stringify({ type: "object", properties: { says: { type: "string" } }, required: ["says"] });

beforeEach(async () => {
  bench = await openWorkbench([
    { toolCalls: [{ name: "read", input: { filePath: "a.txt" } }] },
    { toolCalls: [{ name: "structured_output", input: { says: 1 } }] },
    { toolCalls: [{ name: "structured_output", input: { says: "one" } }] },
    { toolCalls: [{ name: "structured_output", input: { says: "nothing" } }] },
  ]);
  writeFileSync(join(bench.project, "a.txt"), "one\n");
  const asked = ["-p", "What does a.txt say?", "--json-schema", schema, "--max-turns", "9", "--effort", "low"];
  expect((await bench.run([...asked, "--output-format", "json"])).code).toBe(0);
});

afterEach(() => bench.close());

test("an answer in a wanted form is checked, and one changed outcome of a tool is found", async () => {
  const checked = await bench.run(["session", "replay", "--check", "--json"]);
  expect(JSON.parse(checked.stdout)).not.toHaveProperty("notReplayable");
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('"requestsCompared":3') });
  const file = join(bench.directory, "facts.jsonl");
  const played = await bench.run(["session", "replay", "--json"]);
  const lines = played.stdout.split("\n");
  const attempt = lines.findIndex((line) => line.includes('"type":"tool.ended"') && line.includes("expected string"));
  const { seq } = JSON.parse(lines[attempt] ?? "") as { readonly seq: number };
  writeFileSync(file, lines.join("\n"));
  expect((await bench.run(["session", "replay", file, "--check"])).code).toBe(0);
  lines[attempt] = (lines[attempt] ?? "").replace("expected string", "expected number");
  writeFileSync(file, lines.join("\n"));
  const changed = await bench.run(["session", "replay", file, "--check"]);
  expect([changed.code, changed.stdout.split("\n")[0]]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(`differs from its record at fact ${seq}\\. The call \\S+ of structured_output ends`),
    ),
  ]);
});

test("who goes on from a fact is told how to give the same", async () => {
  const opened = await bench.run(["session", "replay", "last", "--until", "3"]);
  const [sessionId = "", directory = ""] = opened.stdout.split("\n");
  expect(opened.stderr).toContain(`kedge --resume ${sessionId} --max-turns 9 --json-schema '${schema}' --effort low\n`);
  rmSync(directory, { recursive: true });
});

test("another model is asked for the same form", async () => {
  const rerun = await bench.run(["session", "replay", "last", "--model", "mock/mock-model", "--json"]);
  expect(rerun.code).toBe(0);
  const { sessionId, directory } = JSON.parse(rerun.stdout) as Record<"sessionId" | "directory", string>;
  const file = join(bench.directory, "rerun.json");
  expect((await bench.run(["session", "export", sessionId, file, "--no-redact"])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toContain('\\"structured\\":{\\"says\\":\\"nothing\\"}');
  rmSync(directory, { recursive: true });
});
