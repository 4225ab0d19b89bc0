/** Proves over random inputs that the language is read as its grammar says, applied as a naive reader would, and never hangs. */

import { textBeside } from "@kedge/protocol/text-file";
import { createSeededRandom, rounds, type SeededRandom, withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { applyChanges, linesOf } from "./lines.ts";
import type { PlainOperation } from "./operations.ts";
import { parseEdit } from "./parse-edit.ts";
import { planChanges } from "./plan-changes.ts";

function pick<Item>(random: SeededRandom, items: readonly [Item, ...Item[]]): Item {
  return items[random.below(items.length)] ?? items[0];
}

function chance(random: SeededRandom, probability: number): boolean {
  return random.next() < probability;
}

/** Written without the code under test: one slot of text before each line, and the lines themselves. */
function editNaively(text: string, operations: readonly PlainOperation[]): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const before: string[][] = Array.from({ length: lines.length + 1 }, () => []);
  const instead: (readonly string[] | undefined)[] = lines.map((line) => [line]);
  let ends = text === "" || text.endsWith("\n");
  for (const operation of operations) {
    if (operation.kind === "replace") {
      for (let line = operation.first; line <= operation.last; line += 1) instead[line - 1] = [];
      instead[operation.first - 1] = operation.body;
      if (operation.verb === "SWAP" && operation.last === lines.length) ends = true;
    } else if (operation.kind === "insert") {
      before[operation.verb === "INS.PRE" ? operation.line - 1 : operation.line]?.push(...operation.body);
    } else {
      before[operation.verb === "INS.HEAD" ? 0 : lines.length]?.push(...operation.body);
      if (operation.verb === "INS.TAIL") ends = true;
    }
  }
  const result = before.flatMap((inserted, index) => [...inserted, ...(instead[index] ?? [])]);
  return result.length === 0 ? "" : result.join("\n") + (ends ? "\n" : "");
}

function randomOperations(random: SeededRandom, lineCount: number): readonly PlainOperation[] {
  const body = () => Array.from({ length: 1 + random.below(3) }, () => pick(random, ["", "x", "+y", "-z", "  w"]));
  const operations: PlainOperation[] = [];
  let line = 1;
  while (line <= lineCount) {
    const row = operations.length + 1;
    const last = Math.min(lineCount, line + random.below(3));
    if (chance(random, 0.2)) operations.push({ kind: "insert", verb: "INS.PRE", row, line, body: body() });
    if (chance(random, 0.3)) {
      const isSwap = chance(random, 0.5);
      operations.push({
        kind: "replace",
        verb: isSwap ? "SWAP" : "DEL",
        row,
        first: line,
        last,
        body: isSwap ? body() : [],
      });
    }
    if (chance(random, 0.2)) operations.push({ kind: "insert", verb: "INS.POST", row, line: last, body: body() });
    line = last + 1 + random.below(3);
  }
  if (chance(random, 0.2)) operations.push({ kind: "edge", verb: "INS.HEAD", row: 1, body: body() });
  if (operations.length === 0 || chance(random, 0.2))
    operations.push({ kind: "edge", verb: "INS.TAIL", row: 1, body: body() });
  return random.shuffle(operations);
}

function spell(operation: PlainOperation): string {
  const body = operation.body.map((line) => `\n+${line}`).join("");
  if (operation.kind === "replace") {
    const range = `${operation.first}.=${operation.last}`;
    return operation.verb === "DEL" ? `DEL ${range}` : `SWAP ${range}:${body}`;
  }
  return operation.kind === "edge" ? `${operation.verb}:${body}` : `${operation.verb} ${operation.line}:${body}`;
}

test("any valid edit does what a naive implementation does", () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds({ usual: 800, long: 5_000 }); round += 1) {
    const lines = Array.from({ length: random.below(12) }, () => pick(random, ["a", "b", "", "c"]));
    const text = lines.join("\n") + (lines.length > 0 && (lines.at(-1) === "" || chance(random, 0.7)) ? "\n" : "");
    const operations = randomOperations(random, lines.length);
    const input = `[a.ts#0A3B]\n${operations.map(spell).join("\n")}`;
    const context = `seed ${random.seed}, round ${round}: ${JSON.stringify(text)}\n${input}`;
    const parsed = parseEdit(input);
    if (!parsed.ok) throw new Error(context);
    const read = parsed.sections.flatMap((section) => section.operations.filter(({ kind }) => kind !== "block"));
    // Blocks were just left out.
    const planned = planChanges(read as readonly PlainOperation[], linesOf(text).length);
    expect(planned.ok && applyChanges(text, planned.changes), context).toBe(editNaively(text, operations));
  }
});

type Rules = { readonly [name: string]: readonly (readonly string[])[] };

/** Reads the few forms of the grammar file: alternatives of literals, names and repeated names. */
function readGrammar(): { readonly rules: Rules; readonly patterns: { readonly [name: string]: RegExp } } {
  const rules: { [name: string]: readonly (readonly string[])[] } = {};
  const patterns: { [name: string]: RegExp } = {};
  for (const row of textBeside(import.meta.url, "./edit-grammar.lark").split("\n")) {
    const [, name = "", definition = ""] = /^(\w+): (.*)$/.exec(row) ?? [];
    const pattern = /^\/(.*)\/$/.exec(definition)?.[1];
    if (pattern !== undefined) patterns[name] = new RegExp(`^${pattern}$`);
    else rules[name] = definition.split(" | ").map((sequence) => sequence.match(/"[^"]*"|\w+\+?/g) ?? []);
  }
  return { rules, patterns };
}

const texts = [
  "",
  "x",
  " ",
  "+",
  "-",
  "-old",
  "[b#0000]",
  "SWAP 1.=2:",
  "*** Abort",
  "@@ -1 +1 @@",
  "12",
  "é…\t",
] as const;

const terminals: { readonly [name: string]: (random: SeededRandom) => string } = {
  PATH: (random) => pick(random, ["a", "src/a b.ts", "/x/y.z", "***", "Update File:", "é", "C:\\x", "Add File: x"]),
  TAG: (random) => Array.from({ length: 4 }, () => "0123456789ABCDEF"[random.below(16)]).join(""),
  N: (random) => `${1 + random.below(pick(random, [3, 1_000, 10_000_000]))}`,
  TEXT: (random) => pick(random, texts),
};

test("the parser accepts whatever the strict grammar generates", () => {
  const random = createSeededRandom();
  const { rules, patterns } = readGrammar();
  const generate = (name: string): string => {
    const terminal = terminals[name];
    if (terminal !== undefined) {
      const text = terminal(random);
      expect(text).toMatch(patterns[name] ?? /^$/);
      return text;
    }
    const alternatives = rules[name] ?? [];
    return (alternatives[random.below(alternatives.length)] ?? [])
      .map((item) => {
        if (item.startsWith('"')) return JSON.parse(item) as string;
        if (!item.endsWith("+")) return generate(item);
        return Array.from({ length: 1 + random.below(3) }, () => generate(item.slice(0, -1))).join("");
      })
      .join("");
  };
  for (let round = 0; round < rounds({ usual: 500, long: 3_000 }); round += 1) {
    const input = generate("start");
    const parsed = parseEdit(input);
    const context = `seed ${random.seed}, round ${round}: ${JSON.stringify(input)}`;
    if (!parsed.ok) throw new Error(`${parsed.rejection.kind} in ${context}`);
    const bodies = parsed.sections.flatMap(({ operations }) => operations.flatMap(({ body }) => body));
    const written = input.split("\n").filter((row) => row.startsWith("+"));
    expect({ bodies, bareRow: parsed.bareRow }, context).toEqual({
      bodies: written.map((row) => row.slice(1)),
      bareRow: undefined,
    });
  }
});

const fragments = [
  ...texts,
  "\n",
  "\n",
  "\n",
  "\r",
  "[a.ts#0A3B]\n",
  "[a.ts#0A3B",
  "]",
  "#",
  "SWAP ",
  "swap.blk",
  "DEL ",
  "INS.POST ",
  "INS.",
  "1",
  "99999999999999999999",
  ".=",
  "..",
  "…",
  ":",
  ":\n+",
  "*** ",
  "***",
  "Update File: ",
  "*** Begin Patch\n",
  "*** Abort",
  "@@ ",
  "\t",
  "\uD800",
  "\u2028",
  "$",
  "\0",
] as const;

test("no input makes the parser throw or wait", () => {
  const random = createSeededRandom();
  const long = 65_536;
  const make = (characters: number): string => {
    let input = chance(random, 0.7) ? "[a.ts#0A3B]\nSWAP 1:\n" : "";
    while (input.length < characters) {
      const fragment = pick(random, fragments);
      input += chance(random, 0.02) ? fragment.repeat(1 + random.below(characters)).slice(0, characters) : fragment;
    }
    return input.slice(0, characters);
  };
  for (let round = 0; round < rounds({ usual: 3_000, long: 20_000 }); round += 1) parseEdit(make(random.below(200)));
  const worst = ["[", " ", "*", "SWAP ", "SWAP  ", "1", "+\n", "\n", "1 ", "[#", "@@", "- "].flatMap((piece) => [
    piece.repeat(long).slice(0, long),
    `[a#0A3B]\nSWAP 1:\n${piece.repeat(long)}`.slice(0, long),
    `[a#0A3B]\nSWAP ${piece.repeat(long - 20)}`.slice(0, long - 1).concat("x"),
  ]);
  for (const input of [...worst, ...Array.from({ length: 100 }, () => make(long))]) {
    withPatience(() => parseEdit(input));
  }
});
