/** Mutants of every language: which changes are made, that each is still a program, and that they never vary. */
import { expect, test } from "vitest";
import { createGrammars } from "../syntax/grammars.ts";
import { findMutants } from "./find-mutants.ts";

const grammars = createGrammars();

async function changes(path: string, text: string, mutantsMax = 60) {
  const found = await findMutants(grammars, { path, text, mutantsMax });
  if (!found.ok) throw new Error(found.problem);
  return found.mutants.map(({ operator, before, after }) => `${operator}: ${before} → ${after}`);
}

test("TypeScript: every operator, and nothing of types, imports and comments", async () => {
  const text = `import { log } from "./log.ts";
/** a < b */
export function clamp<T extends number>(value: number, low: number, high: number): number {
  if (value < low && value !== 0) return low;
  log("clamped", value);
  return Math.min(value + 1, high);
}
`;
  expect(await changes("clamp.ts", text)).toMatchInlineSnapshot(`
    [
      "negated-condition: (value < low && value !== 0) → (!(value < low && value !== 0))",
      "boundary-shift: < → <=",
      "operator-swap: && → ||",
      "negated-condition: !== → ===",
      "constant-change: 0 → 1",
      "early-return: low → undefined",
      "removed-call: log("clamped", value); → ;",
      "swapped-arguments: "clamped", value → value, "clamped"",
      "constant-change: "clamped" → """,
      "early-return: Math.min(value + 1, high) → undefined",
      "swapped-arguments: value + 1, high → high, value + 1",
      "operator-swap: + → -",
      "constant-change: 1 → 2",
    ]
  `);
});

test.each([
  ["shop.py", "def f(a, b):\n    if a >= b and a not in [1]:\n        print(a)\n        return a\n    return b\n", 8],
  [
    "shop.go",
    "package p\nfunc f(a, b int) int {\n\tif a >= b {\n\t\tlog(a, b)\n\t\treturn a * 2\n\t}\n\treturn b\n}\n",
    6,
  ],
  ["Shop.java", "class S { int f(int a, int b) { if (a >= b) { log(a, b); return a * 2; } return b; } }", 6],
  ["shop.rs", "fn f(a: i32, b: i32) -> i32 { if a >= b { log(a, b); return a * 2; } b }", 6],
  ["shop.c", "int f(int a, int b) { if (a >= b) { log(a, b); return a * 2; } return b; }", 6],
  ["shop.js", "function f(a, b) { if (a >= b) { log(a, b); return a * 2; } return b; }", 8],
] as const)("%s gives mutants that are programs", async (path, text, count) => {
  const found = await changes(path, text);
  expect(found).toHaveLength(count);
  expect(found.join("\n")).toMatch(/boundary-shift: >= → >/);
  expect(found.join("\n")).toMatch(/negated-condition: /);
});

test("the same text gives the same mutants, and a limit takes some from everywhere", async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `export const v${index} = (a) => a + ${index};`);
  const text = `${lines.join("\n")}\n`;
  const found = await findMutants(grammars, { path: "many.js", text, mutantsMax: 8 });
  expect(await findMutants(grammars, { path: "many.js", text, mutantsMax: 8 })).toEqual(found);
  if (!found.ok) throw new Error(found.problem);
  expect(found.mutants).toHaveLength(8);
  const at = found.mutants.map(({ line }) => line);
  expect(Math.min(...at)).toBeLessThan(20);
  expect(Math.max(...at)).toBeGreaterThan(70);
});

test("only the lines of the target are changed", async () => {
  const text = "export const a = 1;\nexport const b = 2;\nexport const c = 3;\n";
  const found = await findMutants(grammars, { path: "x.ts", text, lines: { from: 2, to: 2 }, mutantsMax: 60 });
  expect(found).toMatchObject({ ok: true, mutants: [{ line: 2, before: "2", after: "3" }] });
});

test("what cannot be read is refused in a sentence", async () => {
  expect(await findMutants(grammars, { path: "x.txt", text: "1", mutantsMax: 60 })).toEqual({
    ok: false,
    problem: "No mutants can be made of x.txt: its language is not supported.",
  });
  expect(await findMutants(grammars, { path: "x.ts", text: "if (", mutantsMax: 60 })).toEqual({
    ok: false,
    problem: "x.ts has syntax errors.",
  });
});
