/** Proves the lsp tool with the real program and TypeScript's own server: found by a search, and answering every question. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { call, type LspSite, openLspSite, putTypeScript } from "./lsp-site.ts";

let site: LspSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const find = call("tool_search", { query: "select:lsp" });
const ask = (input: object) => call("lsp", input);
const inShop = { filePath: "shop.ts", line: 4, query: "sum" };

test("nothing is told of a file that rules close", async () => {
  const canary = "canary7q";
  const closed = { filePath: "closed.ts", line: 1, query: canary };
  const calls = [
    ...["definition", "references", "implementations", "hover", "incomingCalls", "outgoingCalls", "codeActions"].map(
      (op) => ({ op, ...closed }),
    ),
    { op: "renamePreview", ...closed, newName: "x" },
    { op: "documentSymbols", filePath: "closed.ts" },
    { op: "diagnostics", filePath: "closed.ts" },
    { op: "documentSymbols", filePath: "linked.ts" },
    { op: "hover", filePath: "shop.ts", line: 2, query: "code" },
    { op: "definition", filePath: "shop.ts", line: 2, query: "code" },
    { op: "references", filePath: "shop.ts", line: 2, query: "code" },
    { op: "workspaceSymbols", query: "code" },
    { op: "diagnostics" },
  ];
  site = await openLspSite([find, ...calls.map(ask)], { permission: { read: { "closed.ts": "deny" } } });
  putTypeScript(site);
  site.put("shop.ts", 'import { code } from "./closed";\nexport const shown = String(code);\n');
  site.put("closed.ts", `export const code = "${canary}" as const;\nexport const other: number = code;\n`);
  symlinkSync("closed.ts", join(site.project, "linked.ts"));
  const results = (await site.results()).slice(1);
  expect(results).toHaveLength(calls.length);
  expect(results.filter((result) => result.includes(canary))).toEqual([]);
  expect(results[12]).toBe("closed.ts:1:14");
});

test("every operation answers, and none changes a file", async () => {
  site = await openLspSite([
    find,
    ask({ op: "definition", ...inShop }),
    ask({ op: "references", filePath: "cart.ts", line: 2, query: "sum" }),
    ask({ op: "implementations", ...inShop }),
    ask({ op: "hover", filePath: "shop.ts", line: 4, column: 10 }),
    ask({ op: "documentSymbols", filePath: "cart.ts" }),
    ask({ op: "workspaceSymbols", query: "total" }),
    ask({ op: "incomingCalls", filePath: "cart.ts", line: 2, query: "sum" }),
    ask({ op: "outgoingCalls", filePath: "shop.ts", line: 3, query: "total" }),
    ask({ op: "renamePreview", filePath: "cart.ts", line: 2, query: "sum", newName: "add" }),
    ask({ op: "diagnostics", filePath: "broken.ts" }),
    ask({ op: "diagnostics" }),
    ask({ op: "codeActions", filePath: "broken.ts", line: 1, column: 14 }),
    ask({ op: "definition", filePath: "shop.ts", line: 4, query: "missing" }),
    ask({ op: "hover", filePath: "notes.md", line: 1, column: 1 }),
  ]);
  putTypeScript(site);
  site.put("broken.ts", 'export const broken: number = sum("1", 2);\n');
  site.put("notes.md", "# Notes\n");
  const results = (await site.results()).slice(1);
  const definition = "cart.ts:2:17  export function sum(left: number, right: number): number {";
  expect(results[0]).toBe(definition);
  expect(results[1]?.split("\n").sort()).toEqual([
    definition,
    'shop.ts:1:10  import { sum } from "./cart";',
    "shop.ts:4:10  return sum(1, 2);",
  ]);
  expect(results[2]).toContain("cart.ts:2:17");
  expect(results[3]).toMatch(/function sum\(left: number, right: number\): number[\s\S]*Adds two prices\./);
  expect(results[4]).toContain("2  function sum");
  expect(results[5]).toContain("shop.ts:3:17  function total  export function total(): number {");
  expect(results[6]).toContain("shop.ts:4:10  total  return sum(1, 2);");
  expect(results[7]).toContain("cart.ts:2:17  sum");
  expect(results[8]?.split("\n").sort()).toEqual([
    "Nothing was changed.",
    `cart.ts:2:17  → "add"  export function sum(left: number, right: number): number {`,
    `shop.ts:1:10  → "add"  import { sum } from "./cart";`,
    `shop.ts:4:10  → "add"  return sum(1, 2);`,
  ]);
  const error = "broken.ts:1:31 error: Cannot find name 'sum'. (ts 2304)";
  expect(results[9]).toBe(error);
  expect(results[10]).toBe(`Checked 4 of 4 files.\n${error}`);
  expect(results[11]).toContain("import { sum } from");
  expect(results[12]).toBe("Line 4 does not contain missing: return sum(1, 2);");
  expect(results[13]).toBe("No language server for .md files.");
});
