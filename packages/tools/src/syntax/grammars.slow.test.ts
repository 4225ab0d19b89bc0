import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GrammarRow, grammarTable } from "./grammar-table.ts";
import { createGrammars, type Grammars } from "./grammars.ts";
import { indexLines, walkTree } from "./syntax-tree.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-grammars-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const rowFor = (language: string, wasm: string): GrammarRow => ({
  language,
  wasm,
  extensions: [`.${language}`],
  surroundings: ["%"],
  inner: [],
  standalone: ["@"],
});

const wasmHead = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const returnsNumber = [0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7f];
const oneFunction = [0x03, 0x02, 0x01, 0x00];
const section = (id: number, ...bytes: readonly number[]) => [id, bytes.length, ...bytes];
const named = (name: string) => [name.length, ...Buffer.from(name)];
const exportsGrammar = section(0x07, 0x01, ...named("tree_sitter_trap"), 0x00, 0x00);

/** A library module whose grammar function does nothing but trap. */
const trapsAtLoad = Buffer.from([
  ...wasmHead,
  ...section(0x00, ...named("dylink.0"), 0x01, 0x04, 0x00, 0x00, 0x00, 0x00),
  ...returnsNumber,
  ...oneFunction,
  ...exportsGrammar,
  ...section(0x0a, 0x01, 0x03, 0x00, 0x00, 0x0b),
]);

/** One whose grammar has a version that is accepted, and tables that lead nowhere. */
const trapsAtParse = Buffer.from([
  ...wasmHead,
  ...section(0x00, ...named("dylink.0"), 0x01, 0x05, 0x80, 0x04, 0x02, 0x00, 0x00),
  ...returnsNumber,
  ...section(
    0x02,
    0x02,
    ...[...named("env"), ...named("memory"), 0x02, 0x00, 0x00],
    ...[...named("env"), ...named("__memory_base"), 0x03, 0x7f, 0x00],
  ),
  ...oneFunction,
  ...exportsGrammar,
  ...section(0x0a, 0x01, 0x04, 0x00, 0x23, 0x00, 0x0b),
  ...section(0x0b, 0x01, 0x00, 0x23, 0x00, 0x0b, 0x04, 0x0e, 0x00, 0x00, 0x00),
]);

async function parsesPython(grammars: Grammars): Promise<void> {
  const python = grammars.rowOf("a.py");
  if (python === undefined) throw new Error("Python has a row");
  expect(await grammars.parse(python, "a = 1\n")).toMatchObject({
    ok: true,
    root: { type: "module", hasError: false },
  });
}

test("a missing, broken or trapping grammar disables its own language only", async () => {
  const broken = join(directory, "broken.wasm");
  writeFileSync(broken, "no wasm at all");
  const trapping = join(directory, "trapping.wasm");
  writeFileSync(trapping, trapsAtLoad);
  const bad = [rowFor("gone", "tree-sitter-gone/gone.wasm"), rowFor("broken", broken), rowFor("trap", trapping)];
  const grammars = createGrammars([...bad, ...grammarTable]);
  for (const row of bad) {
    const failed = await grammars.parse(row, "a");
    expect(failed).toMatchObject({ ok: false });
    if (!failed.ok) expect(failed.detail).toMatch(new RegExp(`^The ${row.language} grammar cannot be loaded: .+\\.$`));
    expect(await grammars.parse(row, "a")).toEqual(failed);
  }
  await parsesPython(grammars);
});

test("a grammar that crashes while parsing is given up, and the others go on with a fresh parser", async () => {
  const trapping = join(directory, "trapping.wasm");
  writeFileSync(trapping, trapsAtParse);
  const row = rowFor("trap", trapping);
  const grammars = createGrammars([row, ...grammarTable]);
  await parsesPython(grammars);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const failed = await grammars.parse(row, "abc");
    if (failed.ok) throw new Error("a grammar without tables parsed something");
    expect(failed.detail).toMatch(/^The trap grammar failed: .+\.$/);
    await parsesPython(grammars);
  }
});

test("every grammar of the table parses", async () => {
  const grammars = createGrammars();
  for (const row of grammarTable) expect(await grammars.parse(row, "")).toMatchObject({ ok: true });
  expect(grammars.rowOf("deep/A.JAVA")?.language).toBe("Java");
  expect(grammars.rowOf("a.md")).toBeUndefined();
});

test("every grammar may be shipped", () => {
  const require = createRequire(import.meta.url);
  const licences = grammarTable.map(({ wasm }) => {
    const { license }: { license: unknown } = require(`${wasm.split("/")[0]}/package.json`);
    return license;
  });
  expect(new Set(licences)).toEqual(new Set(["MIT"]));
});

test("trees deeper than the stack, and positions behind characters of two units", async () => {
  const grammars = createGrammars();
  const row = grammars.rowOf("a.js");
  if (row === undefined) throw new Error("JavaScript has a row");
  const chain = await grammars.parse(row, `x = a${" + a".repeat(20_000)};`);
  if (!chain.ok) throw new Error(chain.detail);
  expect([...walkTree(chain.root)].filter((node) => node.type === "binary_expression")).toHaveLength(20_000);

  const source = 's = "😀é";\nfound();\n';
  const parsed = await grammars.parse(row, source);
  if (!parsed.ok) throw new Error(parsed.detail);
  const call = [...walkTree(parsed.root)].find((node) => node.type === "call_expression");
  expect(call === undefined ? undefined : source.slice(call.start, call.end)).toBe("found()");
  expect(indexLines(source)(call?.start ?? 0)).toBe(2);
});
