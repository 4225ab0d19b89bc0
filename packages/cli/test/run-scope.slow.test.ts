/** Proves what a run may reach when the command line says so: which tools, which directories, which session. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

async function open(script: MockScript): Promise<Workbench> {
  bench = await openWorkbench(script);
  mkdirSync(join(bench.directory, "beside"));
  writeFileSync(join(bench.directory, "beside/words.txt"), "a needle\n");
  return bench;
}

/** The names of the tools in each request that the model got. */
function offered({ model }: Workbench): readonly (readonly string[])[] {
  return model.requests.map(({ body }) => {
    // What our own wire sent a moment ago.
    const { tools } = body as { readonly tools: readonly { readonly function: { readonly name: string } }[] };
    return tools.map(({ function: { name } }) => name);
  });
}

const read = { name: "read", input: { filePath: "../beside/words.txt" } };
const edit = { name: "edit", input: { filePath: "../beside/words.txt", oldString: "a needle", newString: "hay" } };

test("only the tools that --tools names are offered to the model, and no other runs", async () => {
  const opened = await open([{ toolCalls: [{ name: "bash", input: { command: "touch made" } }] }, { text: "Done." }]);
  const { code, stdout } = await opened.run(["-p", "go", "--tools", "read,Grep", "--output-format", "stream-json"]);
  const lines: readonly { readonly [member: string]: unknown }[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines[0]?.["tools"]).toEqual(["grep", "read"]);
  expect(offered(opened)).toEqual([
    ["grep", "read"],
    ["grep", "read"],
  ]);
  expect(lines.find(({ type }) => type === "tool_result")).toMatchObject({ tool: "bash", outcome: "failed" });
});

test.each([
  [["--tools", "read,greb"], 'kedge: Unknown tool "greb". Did you mean grep?\n'],
  [
    ["--add-dir", "../nowhere"],
    "kedge: Cannot add the directory ../nowhere: part of the path does not exist. Pass an existing directory.\n",
  ],
  [
    ["--add-dir", "../beside/words.txt"],
    "kedge: Cannot add the directory ../beside/words.txt: it is a file. Pass an existing directory.\n",
  ],
])("%j is wrong usage", async (flags, stderr) => {
  const opened = await open([]);
  expect(await opened.run(["-p", "go", ...flags])).toEqual({ code: 2, stdout: "", stderr });
  expect(opened.model.requests).toEqual([]);
});

test("a file in an added directory is read without a question, and edited with the usual one", async () => {
  const script = [{ toolCalls: [read] }, { toolCalls: [edit] }, { text: "Done." }];
  const outcomes = async (flags: readonly string[]) => {
    const opened = await open([...script]);
    const { stdout } = await opened.run(["-p", "go", "--output-format", "stream-json", ...flags]);
    const text = readFileSync(join(opened.directory, "beside/words.txt"), "utf8");
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "tool_result")
      .map(({ tool, outcome }) => `${tool} ${outcome}`);
    await opened.close();
    return [...results, text];
  };
  // What was not read cannot be edited at all.
  expect(await outcomes([])).toEqual(["read refused", "edit failed", "a needle\n"]);
  expect(await outcomes(["--add-dir", "../beside"])).toEqual(["read completed", "edit refused", "a needle\n"]);
  expect(await outcomes(["--add-dir=../beside", "--allow", "edit"])).toEqual([
    "read completed",
    "edit completed",
    "hay\n",
  ]);
});

test("kedge explain takes an added directory for a part of the project", async () => {
  const { run } = await open([]);
  const verdicts = async (...flags: readonly string[]) => {
    const path = await run(["explain", "path", "../beside/words.txt", "--json", ...flags]);
    const other = await run(["explain", "path", "../home/config.json", "--json", ...flags]);
    const permission = await run(["explain", "permission", "read", "../beside/words.txt", "--json", ...flags]);
    return [path, other, permission].map(({ stdout }) => JSON.parse(stdout).verdict);
  };
  expect(await verdicts()).toEqual(["outside", "outside", "ask"]);
  expect(await verdicts("--add-dir", "../beside")).toEqual(["inside", "outside", "allow"]);
  expect(await run(["explain", "path", "x", "--add-dir", "../nowhere"])).toMatchObject({ code: 2, stdout: "" });
});

test("a session gets the id that was given, and an id that was used is refused", async () => {
  const { run } = await open(() => ({ text: "ok" }));
  const sessionId = "ses_of0the0test";
  const first = await run(["-p", "hi", "--session-id", sessionId, "--output-format", "json"]);
  expect(JSON.parse(first.stdout)).toMatchObject({ sessionId, result: "ok" });
  expect(await run(["-p", "hi", "--session-id", sessionId])).toEqual({
    code: 1,
    stdout: "",
    stderr: `kedge: Session ${sessionId} already exists. Resume it, or choose another id.\n`,
  });
  const resumed = await run(["-p", "again", "--resume", sessionId, "--output-format", "json"]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ sessionId });
  expect(await run(["-p", "hi", "--session-id", "mine"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'kedge: --session-id must be ses_ followed by 10 to 40 lowercase letters and digits, got "mine".\n',
  });
});
