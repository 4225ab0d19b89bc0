import { rmSync, writeFileSync } from "node:fs";
import type { ToolContext } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { findRipgrep } from "../searching/find-ripgrep.ts";
import { createGrammars } from "../syntax/grammars.ts";
import { type CodeFindings, type CodeIndex, createCodeIndex } from "./code-index.ts";
import { createCodesearchTool } from "./codesearch.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const grammars = createGrammars();
const lexical = "(ranking is lexical, by words and names, without embeddings)";

function localIndex(): CodeIndex {
  return createCodeIndex({
    path: workshop.at(".git/index.db"),
    ripgrepPath: findRipgrep,
    childEnvironment: () => ({}),
    grammars,
    isSecret: () => false,
    now: () => performance.now(),
  });
}

async function search(input: unknown, index = localIndex(), more: Partial<ToolContext> = {}) {
  const tool = createCodesearchTool({ index });
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.report);
  return tool.run(parsed.input, { ...workshop.newContext(), ...more });
}

/** An index that answers what it is told to. */
function answering(findings: CodeFindings): CodeIndex {
  return { search: async () => findings };
}

test("hits are shown with their place, name and numbered lines", async () => {
  workshop.put(
    "src/cart.ts",
    "import x;\r\n\r\nexport function addToCart(item) {\r\n  check(item);\r\n  push(item);\r\n  return 1;\r\n}\r\n",
  );
  workshop.put("docs/cart.md", "The cart keeps items.\n");
  expect(await search({ query: "add to cart" })).toEqual({
    output: [
      "src/cart.ts:3-7 addToCart",
      "  3:export function addToCart(item) {",
      "  4:  check(item);",
      "  5:  push(item);",
      "  6:  return 1;",
      "  7:}",
      "docs/cart.md:1-1",
      "  1:The cart keeps items.",
      "src/cart.ts:1-1",
      "  1:import x;",
      lexical,
    ].join("\n"),
    title: "add to cart",
    metadata: { shown: 3, count: 3, filesTotal: 2, filesCurrent: 2 },
  });
});

test("tokens bound the answer, which says how much it left out", async () => {
  for (let index = 0; index < 60; index += 1)
    workshop.put(`f${index}.js`, `function needle${index}() {\n${"  someWork(withLongNames);\n".repeat(60)}}\n`);
  const index = localIndex();
  const shownBy = async (tokens?: number) => {
    const { output, metadata } = await search({ query: "someWork", ...(tokens !== undefined && { tokens }) }, index);
    return { length: output.length, shown: Number(metadata?.["shown"]), last: output.split("\n").slice(-2) };
  };
  const small = await shownBy(500);
  expect(small).toEqual({
    length: expect.any(Number),
    shown: 1,
    last: ["(1 of 60 hits shown; ask with other words or more tokens)", lexical],
  });
  expect(small.length).toBeLessThan(2_200);
  const normal = await shownBy();
  expect([normal.length > 15_000, normal.length < 16_500]).toEqual([true, true]);
  const large = await shownBy(1_000_000);
  expect([large.length > 45_000, large.length <= 50_000, large.shown > normal.shown]).toEqual([true, true, true]);
});

test("a hit that is longer than the answer may be shows its first lines", async () => {
  workshop.put("a.js", `function needle() {\n${`  work("${"x".repeat(400)}");\n`.repeat(70)}}\n`);
  const { output } = await search({ query: "needle", tokens: 600 });
  const lines = output.split("\n");
  expect(lines[0]).toBe("a.js:1-72 needle");
  expect(lines[2]).toBe(`  2:  work("${"x".repeat(292)}…`);
  expect(lines.at(-2)).toMatch(/^ {2}… \d+ more lines$/);
  expect(output.length).toBeLessThan(2_700);
});

test("nothing found is no error and says what to try", async () => {
  workshop.put("a.ts", "const a = 1;\n");
  expect(await search({ query: "flux capacitor" })).toEqual({
    output: `No code has any of these words: flux, capacitor. Try other words for the same thing, or grep for an exact text.\n${lexical}`,
    title: "flux capacitor",
    metadata: { shown: 0, count: 0, filesTotal: 1, filesCurrent: 1 },
  });
});

test("a file that changed or went away between indexing and showing is not shown as if it had not", async () => {
  const path = workshop.put("a.ts", "const needle = 1;\n");
  const gone = workshop.put("b.ts", "const needle = 2;\n");
  const index = localIndex();
  const late: CodeIndex = {
    search: async (query) => {
      const findings = await index.search(query);
      writeFileSync(path, "const other = 1;\n");
      rmSync(gone);
      return findings;
    },
  };
  expect((await search({ query: "needle" }, late)).output).toBe(
    `a.ts:1-1 needle (the file has changed since it was indexed)\n  1:const other = 1;\n(1 of 2 hits shown; ask with other words or more tokens)\n${lexical}`,
  );
});

test.each([
  ["time", "call again to go on indexing, or use grep for the rest"],
  ["size", "the index has reached its maximum size; use grep for the rest"],
  ["busy", "another kedge is writing it, call again later"],
] as const)("an incomplete index is said: %s", async (stop, advice) => {
  const coverage = { ok: true, filesTotal: 50, filesCurrent: 20, leftOut: 0, stop } as const;
  const found = { kind: "found", words: ["a"], hits: [], count: 0, coverage, wasDamaged: true } as const;
  expect((await search({ query: "a" }, answering(found))).output.split("\n").slice(1)).toEqual([
    `(index incomplete: 20 of 50 files; ${advice})`,
    "(the index was damaged and has been rebuilt)",
    lexical,
  ]);
});

test("what keeps a search from its answer is said in words", async () => {
  const title = "q";
  expect(await search({ query: "q" }, answering({ kind: "busy" }))).toEqual({
    output: "Another kedge is writing the code index. Search with grep, or try again later.",
    title,
  });
  expect(await search({ query: "q" }, answering({ kind: "failed", problem: "It broke." }))).toEqual({
    output: "It broke.",
    isError: true,
    title,
  });
  expect(await search({ query: "=> {}" })).toEqual({
    output: "The query has no words to search for. Give words or identifiers, or search for signs with grep.",
    isError: true,
    title: "=> {}",
  });
  expect(await search({ query: "q w" }, localIndex(), { signal: AbortSignal.abort() })).toEqual({
    output: "The search was interrupted. What was indexed until then is kept.",
    isError: true,
    title: "q w",
  });
});

test("progress goes to the sink", async () => {
  const written: string[] = [];
  const sink = { ...workshop.newContext().sink, write: (chunk: string) => written.push(chunk) };
  const index: CodeIndex = {
    search: async ({ onProgress }) => {
      onProgress("indexing: 1 of 2 files\n");
      return { kind: "busy" };
    },
  };
  await search({ query: "q" }, index, { sink });
  expect(written).toEqual(["indexing: 1 of 2 files\n"]);
});

test("it is deferred, short, harmless and needs its own permission only", () => {
  const tool = createCodesearchTool({ index: answering({ kind: "busy" }) });
  const input = { query: "q" };
  expect(tool.description.length).toBeLessThan(900);
  expect({
    name: tool.name,
    isDeferred: tool.searchHint !== undefined,
    limit: tool.resultCharactersMax,
    readOnly: tool.readOnly(input),
    concurrencySafe: tool.concurrencySafe(input),
    needs: tool.needs(input, "/place"),
  }).toEqual({
    name: "codesearch",
    isDeferred: true,
    limit: 50_000,
    readOnly: true,
    concurrencySafe: true,
    needs: [{ permission: "codesearch", patterns: ["q"], always: ["*"], access: "read", paths: ["/place"] }],
  });
  expect(tool.parse({ query: "" }).ok).toBe(false);
  expect(tool.parse({ query: "q", tokens: "300" })).toEqual({ ok: true, input: { query: "q", tokens: 300 } });
});
