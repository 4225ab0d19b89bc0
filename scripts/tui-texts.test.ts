/** What the terminal says stands in its tables of texts, and every text of them is rendered once. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type ParameterType, readableLiterals, type TextParameters, textParameters } from "./source-literals.ts";
import { slipsIn } from "./text-rules.ts";

const root = resolve(import.meta.dirname, "..");
const texts = "packages/tui/src/texts";
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Words that nobody is shown. */
const allowed: readonly (readonly [literal: RegExp, why: string])[] = [
  [/^"(?:first non-blank|after cursor|line end|cell before)"$/, "places of the cursor in vim"],
  [/^"left to others"$/, "what became of a key"],
  [/^`(?:list|find|resource|symbol|notice|group) \$\{/, "keys of caches and units"],
  [/^"(?:engine commands|memory inbox|kedge demo)"$/, "names of requests, of a command of the engine, of a choice"],
  [/^`(?:\/memory add|inbox \$\{answer\}) \$\{/, "lines for the engine"],
  [/^"environment variable "$|^`\\n\(in \$\{directory\}\)`$/, "looked for in what the engine says"],
  [/^"(?:Escape|Frames|syntaxFunction)"$/, "a key of terminals, the end of names of symbols, a color"],
];

test("no component of the terminal has words of its own", () => {
  const files = globSync("packages/tui/src/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts") && !file.startsWith(texts),
  );
  const literals = files.toSorted().flatMap((file) => readableLiterals(file, read(file)));
  const found = literals.filter(({ source }) => !allowed.some(([literal]) => literal.test(source)));
  expect(found).toEqual([]);
  // What is allowed in vain would let something in later.
  const unused = allowed.filter(([literal]) => !literals.some(({ source }) => literal.test(source)));
  expect(unused.map(([, why]) => why)).toEqual([]);
});

/** Of a source as it is read, not of this one. */
const slot = (code: string) => `\${${code}}`;

test("words and labels are found, and neither names nor what only programs read", () => {
  const source = [
    'import { a } from "a module";',
    'type Kind = "two words";',
    'const one = "Two words.";',
    `const two = \`${slot("count")} left\`;`,
    'const three = { label: "rename", value: "rename", "a key": 1 };',
    `const four = kind === "idle" ? "Untitled" : \`${slot("one")}${slot("two")}\`;`,
    'throw new Error("This cannot be.");',
  ].join("\n");
  expect(readableLiterals("a.ts", source).map(({ line, source: text }) => `${line} ${text}`)).toEqual([
    '3 "Two words."',
    `4 \`${slot("count")} left\``,
    '5 "rename"',
    '6 "Untitled"',
  ]);
});

type Rendered = { readonly name: string; readonly text: string };

/** One is where counts go wrong, the last needs separators. */
const samples = [1, 2, 12_345];

async function rendered(): Promise<readonly Rendered[]> {
  const found: Rendered[] = [];
  for (const file of globSync(`${texts}/*.ts`, { cwd: root }).toSorted()) {
    const parameters = textParameters(read(file));
    const tables: { readonly [table: string]: object } = await import(pathToFileURL(join(root, file)).href);
    for (const [table, entries] of Object.entries(tables))
      for (const [key, entry] of Object.entries(entries)) {
        const name = `${table}.${key}`;
        found.push(...renderedEntry(name, entry, parameters.get(name)));
      }
  }
  return found;
}

function renderedEntry(name: string, entry: unknown, parameters: TextParameters | undefined): readonly Rendered[] {
  if (typeof entry === "string") return [{ name, text: entry }];
  if (Array.isArray(entry)) return entry.map((text: string) => ({ name, text }));
  if (typeof entry !== "function" || parameters === undefined) throw new Error(`${name} is neither text nor function`);
  return samples.map((count) => ({ name, text: entry(valueFor(parameters, count)) }));
}

function valueFor(parameters: TextParameters, count: number): unknown {
  const sample = (name: string, type: ParameterType) => (type === "number" ? count : `{${name}}`);
  if (parameters.kind === "one") return sample("value", parameters.type);
  return Object.fromEntries([...parameters.types].map(([name, type]) => [name, sample(name, type)]));
}

test("every text is a line for people: nothing missing in it, and nothing that a writer would correct", async () => {
  const all = await rendered();
  expect(all.length).toBeGreaterThan(700);
  const broken = all.filter(
    ({ text }) => typeof text !== "string" || text === "" || /undefined|NaN|null|\[object|\$\{|=>/.test(text),
  );
  expect(broken).toEqual([]);
  expect(all.flatMap(({ name, text }) => slipsIn(text).map((what) => `${name}: ${what}: ${text}`))).toEqual([]);
});

test("a text shows every value that it takes", async () => {
  const texts = Map.groupBy(await rendered(), ({ name }) => name);
  for (const file of globSync("packages/tui/src/texts/*.ts", { cwd: root }))
    for (const [name, parameters] of textParameters(read(file))) {
      const [one = "", , many = ""] = (texts.get(name) ?? []).map(({ text }) => text);
      const types = parameters.kind === "one" ? new Map([["value", parameters.type]]) : parameters.types;
      for (const [value, type] of types)
        if (type === "string") expect(one, name).toContain(`{${value}}`);
        else expect(one, name).not.toBe(many);
    }
});

test("commands and keys are described in the imperative, without a full stop", async () => {
  const listed = /^(?:session|model|view|kedge)CommandTexts\.|^actionTexts\./;
  const descriptions = (await rendered()).filter(({ name }) => listed.test(name));
  expect(descriptions.length).toBeGreaterThan(80);
  expect(descriptions.filter(({ text }) => /^[A-Z]\w*[^s]s\b|[.!]$|^[a-z]/.test(text))).toEqual([]);
});
