/** Proves tool search with the real program: the same calls with references and without, and searches in a catalogue. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;
afterEach(() => bench?.close());

/** One discovery over the Messages wire, at an address that stands in for the vendor. */
async function discover(environment: { readonly [name: string]: string }) {
  bench = await openWorkbench([
    { toolCalls: [{ name: "tool_search", input: { query: "select:list,todo_read" } }] },
    { toolCalls: [{ name: "list", input: {} }] },
    { toolCalls: [{ name: "tool_search", input: { query: "unread jupyter cells" } }] },
    { text: "Done." },
  ]);
  const provider = { anthropic: { baseURL: bench.model.baseUrl, apiKey: "key-of-the-test" } };
  const settings = { model: "anthropic/claude-sonnet-5-5", provider, titles: { enabled: false } };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify(settings));
  const { code, stdout } = await bench.run(["-p", "go", "--output-format", "stream-json"], { environment });
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const calls = lines.flatMap(({ type, tool, input }) => (type === "tool_call" ? [{ tool, input }] : []));
  const { requests } = bench.model;
  await bench.close();
  return { code, calls, requests };
}

const toolsOf = (request: Awaited<ReturnType<typeof discover>>["requests"][number] | undefined) =>
  (request?.body.tools ?? []) as readonly { readonly name: string; readonly defer_loading?: boolean }[];

test("a discovery leads to the same calls with references and with schemas", async () => {
  const plain = await discover({});
  const native = await discover({ KEDGE_TOOL_SEARCH: "true" });
  expect(plain.calls.length).toBeGreaterThan(2);
  expect(native.calls).toEqual(plain.calls);
  expect([plain.code, native.code]).toEqual([0, 0]);

  for (const { raw, headers } of plain.requests) {
    expect(raw.toString()).not.toMatch(/tool_reference|defer_loading/);
    expect(headers["anthropic-beta"] ?? "").not.toContain("advanced-tool-use");
  }
  const [first, second, , last] = native.requests;
  expect(toolsOf(first).some(({ defer_loading }) => defer_loading)).toBe(false);
  expect(
    toolsOf(second)
      .filter(({ defer_loading }) => defer_loading)
      .map(({ name }) => name),
  ).toEqual(["list", "todo_read"]);
  expect(second?.raw.toString()).toContain('{"type":"tool_reference","tool_name":"list"}');
  expect(last?.headers["anthropic-beta"]).toContain("advanced-tool-use-2025-11-20");
  expect(toolsOf(last).map(({ name }) => name)).toEqual(toolsOf(plain.requests.at(-1)).map(({ name }) => name));
});

test("without betas every tool is loaded, and nothing about references is sent", async () => {
  const { requests, code } = await discover({ KEDGE_TOOL_SEARCH: "true", KEDGE_DISABLE_EXPERIMENTAL_BETAS: "1" });
  expect(code).toBe(0);
  const names = toolsOf(requests[0]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["read", "list", "notebook_edit"]));
  expect(names).not.toContain("tool_search");
  for (const { raw } of requests) expect(raw.toString()).not.toMatch(/tool_reference|defer_loading/);
});

test("kedge explain tools ranks the tools of a catalogue, one query or one per line", async () => {
  bench = await openWorkbench([]);
  const catalogue = join(bench.project, "tools.jsonl");
  const rows = [
    { server: "git hub", name: "create_issue", description: "Opens an issue.", inputSchema: { type: "object" } },
    { server: "mail", name: "send", description: "Sends a message.", inputSchema: { type: "object" } },
    { name: "notebook_edit", description: "Changes a cell.", searchHint: "jupyter" },
  ];
  writeFileSync(catalogue, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const explain = (words: readonly string[], input?: string) =>
    (bench as Workbench).run(["explain", "tools", ...words], input === undefined ? {} : { input });

  expect(await explain(["--catalogue", catalogue, "report", "a", "bug"])).toMatchObject({
    code: 0,
    stdout: "create_issue\n",
  });
  const questions = [
    { id: 1, query: "jupyter", limit: 1 },
    { id: 2, query: "mcp__git_hub__" },
    { id: 3, query: "zzz" },
    { id: 4, query: "" },
    { id: 5, query: "mail", limit: 0 },
  ];
  const asked = await explain(
    ["--catalogue", catalogue, "--jsonl"],
    questions.map((each) => JSON.stringify(each)).join("\n"),
  );
  expect(asked.code).toBe(1);
  expect(
    asked.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { id: 1, names: ["notebook_edit"] },
    { id: 2, names: ["create_issue"] },
    { id: 3, names: [] },
    { id: 4, error: "query must be a string" },
    { id: 5, error: "limit must be a whole number from 1 to 100" },
  ]);
  writeFileSync(catalogue, '{"name":"a"}\nno json\n');
  expect(await explain(["--catalogue", catalogue, "a"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("line 2 is not a tool with a name"),
  });
  expect(await explain(["--catalogue", join(bench.project, "nowhere"), "a"])).toMatchObject({ code: 2 });
  expect(await explain(["a"])).toMatchObject({ code: 2, stderr: expect.stringContaining("explain tools --catalogue") });
});
