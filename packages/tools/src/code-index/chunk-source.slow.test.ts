import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGrammars } from "../syntax/grammars.ts";
import { chunkLines } from "./chunk-lines.ts";
import { chunkSource } from "./chunk-source.ts";

const grammars = createGrammars();

async function chunksOf(name: string, text: string) {
  const row = grammars.rowOf(name);
  if (row === undefined) throw new Error(`no grammar for ${name}`);
  const parsed = await grammars.parse(row, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return chunkSource(parsed.root, text, text.split("\n"));
}

async function showChunks(name: string, text: string): Promise<readonly string[]> {
  return (await chunksOf(name, text)).map(({ first, last, symbol, names }) => {
    const labels = symbol.split(", ").map((label) => label.split(".").at(-1));
    const inner = names.filter((found) => !labels.includes(found));
    return `${first}-${last} ${symbol}${inner.length > 0 ? ` (${inner.join(" ")})` : ""}`;
  });
}

const body = (count: number, line = "  step();") => Array.from({ length: count }, () => line).join("\n");

test("functions are chunks with the comments above them, small neighbours share one", async () => {
  const text = [
    'import { a } from "a";',
    "",
    "const limit = 3;",
    "export type Point = { x: number };",
    "",
    "/** Says hello. */",
    "export async function greet(name: string) {",
    body(4),
    "}",
    "",
    "export const wave = (hand: Hand) => {",
    "  const finger = hand.first;",
    body(4),
    "};",
    "",
    "// The end.",
  ].join("\n");
  expect(await showChunks("a.ts", text)).toEqual(["1-4 limit, Point (x)", "6-12 greet", "14-20 wave", "22-22 "]);
});

test("a large class is cut between its members, which carry its name", async () => {
  const text = ["export class Store extends Base {", "  path = 1;", "  @logged", "  append(fact) {", body(20), "  }"];
  text.push("", "  /** Reads. */", "  async read() {", body(20), "  }", "}");
  expect(await showChunks("a.ts", text.join("\n"))).toEqual([
    "1-2 Store, Store.path",
    "3-25 Store.append",
    "27-50 Store.read",
  ]);
});

test("a function that is too long is divided where its own parts begin", async () => {
  const text = ["function outer() {", "  const local = 1;", "  function first() {", body(40, "    a();"), "  }"];
  text.push("  function second() {", body(45, "    b();"), "  }", "  return first;", "}");
  expect(await showChunks("a.js", text.join("\n"))).toEqual([
    "1-2 outer",
    "3-44 outer.first",
    "45-91 outer.second",
    "92-93 outer",
  ]);
});

test("one value that cannot be divided is shown in windows", async () => {
  const text = `const text = \`\n${body(150, "line")}\n\`;\n`;
  expect(await showChunks("a.js", text)).toEqual(["1-60 text", "61-110 text", "111-152 text"]);
});

test.each([
  [
    "a.py",
    '"""Doc."""\nLIMIT = 3\n\n@cached\ndef hello(name):\n    x = 1\n    y = 2\n    return x\n\nclass Größe(Base):\n    field = 3\n    def __init__(self):\n        self.a = 1\n',
    ["1-2 LIMIT", "4-8 hello", "10-13 Größe (field __init__)"],
  ],
  [
    "a.go",
    "package main\n\n// Store keeps.\ntype Store struct {\n\tpath string\n\tn int\n}\n\nfunc (s *Store) Append(x int) error {\n\ty := 1\n\tf(x)\n\tf(x)\n\treturn nil\n}\n",
    ["1-1 ", "3-7 Store (path n)", "9-14 Append"],
  ],
  [
    "a.rs",
    "use a;\n\n#[derive(Debug)]\npub struct Point { x: i32 }\n\nimpl fmt::Display for Point {\n    fn fmt(&self) {\n        let a = 1;\n        a\n    }\n}\n",
    ["1-4 Point (x)", "6-11 Point (fmt)"],
  ],
  [
    "A.java",
    "package a;\n\n@Service\npublic class Cart {\n  private int count;\n  Cart(int x) { count = x; }\n  public String name() {\n    int local = 3;\n    return null;\n  }\n}\n",
    ["1-1 ", "3-11 Cart (count name)"],
  ],
  [
    "a.c",
    "#define SIZE 3\nint parse(int a);\n\nstatic char *copy_text(const char *text) {\n  int length = 3;\n  work();\n  return text;\n}\n",
    ["1-2 SIZE, parse", "4-8 copy_text"],
  ],
  [
    "a.cpp",
    "namespace shop {\nint& Cart::count(int x) {\n  int y = 3;\n  work();\n  return x;\n}\n}\n",
    ["1-7 shop (Cart::count)"],
  ],
])("names in %s", async (name, text, chunks) => {
  expect(await showChunks(name, text)).toEqual(chunks);
});

test("in real sources every line that is not blank belongs to exactly one chunk, in order", async () => {
  const directory = join(import.meta.dirname, "..", "syntax");
  const sources = readdirSync(directory).filter((name) => name.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(10);
  for (const name of sources) {
    const text = readFileSync(join(directory, name), "utf8");
    const covered = (await chunksOf(name, text)).flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    );
    const lines = text.split("\n").entries();
    const wanted = [...lines].filter(([, line]) => line.trim() !== "").map(([index]) => index + 1);
    expect(covered.filter((line) => (text.split("\n")[line - 1] ?? "").trim() !== "")).toEqual(wanted);
  }
});

test("a broken file and a very deep one are cut all the same", async () => {
  const broken = await chunksOf("a.ts", `function a( {\n${body(100)}\n`);
  expect([broken[0]?.first, broken.at(-1)?.last]).toEqual([1, 101]);
  const deep = `const sum =\n${Array.from({ length: 5_000 }, (_, index) => `  a${index}`).join(" +\n")};\n`;
  const chunks = await chunksOf("a.js", deep);
  expect([chunks[0]?.first, chunks.at(-1)?.last]).toEqual([1, 5_001]);
  expect(Math.max(...chunks.map(({ first, last }) => last - first))).toBeLessThan(160);
});

test("without a grammar there are windows of 60 lines with 10 in common, named by what looks like a definition", () => {
  const lines = Array.from({ length: 115 }, (_, index) => `line ${index + 1}`);
  lines[2] = "  public static function start_engine() {";
  lines[54] = "def stop!";
  lines[56] = "the class of words is no definition";
  expect(chunkLines(lines)).toEqual([
    { first: 1, last: 60, symbol: "start_engine, stop!", scope: "", names: ["start_engine", "stop!"] },
    { first: 51, last: 110, symbol: "stop!", scope: "", names: ["stop!"] },
    { first: 101, last: 115, symbol: "", scope: "", names: [] },
  ]);
  expect(chunkLines(["", " "])).toEqual([]);
});
