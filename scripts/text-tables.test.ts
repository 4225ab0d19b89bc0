/** Proves that what the command line and the web app say stands in tables, and that each entry of them reads well. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { parametersOf } from "./function-parameters.ts";
import { isTable, type Literal, literalsIn, slotMark } from "./source-texts.ts";
import { bannedWords, slips } from "./text-rules.ts";

const root = resolve(import.meta.dirname, "..");
const surfaces = ["cli", "web"];

const sources = globSync(`packages/{${surfaces.join(",")}}/src/**/*.{ts,tsx}`, { cwd: root })
  .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  .sort();
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Two words, a slot and a word, or one word as a title. A label is read however short it is. */
function isReadable({ words, isLabel, isOfBug }: Literal): boolean {
  if (isOfBug) return false;
  if (isLabel) return /[A-Za-z]{2}/.test(words);
  const text = words.replaceAll(slotMark, "{}");
  return (
    /[a-z]{3}/.test(text) &&
    (/[A-Za-z]{2,}[,:;.)?!"]* [("A-Za-z{]/.test(text) ||
      /\} [a-z]{2}/.test(text) ||
      /^[A-Z][a-z]{2,}[…:?.!]*$/.test(text))
  );
}

/** What looks like a text and is none: it is read by a program, or written as a program has it. */
const exempt: readonly (readonly [why: string, file: RegExp, text?: RegExp])[] = [
  ["words of a shell", /^packages\/cli\/src\/completion\/completion-script\.ts$/],
  [
    "stages that `--startup` and the code cache know by name",
    /^packages\/cli\/src\/(?:console|headless|start|terminal)\//,
    /^(?:first (?:request|tool)|prompt ready|engine thread)$/,
  ],
  [
    "files and commands of the demo's project",
    /^packages\/cli\/src\/demo\/broken-project\.ts$/,
    /return sum|node --test/,
  ],
  ["the wire of the demo's model", /^packages\/cli\/src\/demo\/model-server\.ts$/, /^data: /],
  ["a warning of Node that is left out", /^packages\/cli\/src\/start\/stub\.ts$/, /^SQLite is an/],
  ["a line for measurements", /^packages\/cli\/src\/start\/stub\.ts$/, /^code cache: /],
  ["the name and version of the program", /^packages\/cli\/src\//, /^kedge \$\{version\}\n$/],
  ["usage lines made of names of commands", /^packages\/cli\/src\/arguments\/help\.ts$/, /^ *kedge \$\{/],
  [
    "a marker of a tool's output for the model",
    /^packages\/cli\/src\/attachments\/mentioned-files\.ts$/,
    /^<file path=/,
  ],
  ["lines of commands that are run", /^packages\//, /^(?:\/[a-z]+ |make test$)/],
  ["the name of an event", /^packages\/cli\/src\/commands\/hooks-command\.ts$/, /^Setup$/],
  ["an example of the format itself", /^packages\/cli\/src\/commands\/permissions-command\.ts$/, /^\{"command"/],
  [
    "a frame of a replay around a text of the record",
    /^packages\/cli\/src\/session\/replay\/play-with-keys\.ts$/,
    /^-- fact/,
  ],
  ["a header of HTTP", /^packages\/web\/src\/app\/sign-in\.ts$/, /^Bearer /],
  ["names of keys", /^packages\/web\/src\/frame\/app-keys\.tsx$/, /^(?:Enter|Escape|Key)$/],
  ["the prefix of sentences by kedge", /^packages\/cli\/src\//, /^kedge: \$\{[\w().]+\}\.?$/],
  ["the name of the program", /^packages\/web\/src\//, /^kedge$/],
  [
    "names under which a view keeps its answers",
    /^packages\/web\/src\/views\//,
    /^(?:agents|messages|diff|context|cost|file|list|find|mcp|inbox) \$\{/,
  ],
  [
    "selectors, classes and keys of the page",
    /^packages\/web\/src\//,
    /^(?:\.field, |\(pointer: |block rest$|prompt-text queued$|tool-name shell$|group \$\{)/,
  ],
  ["style sheets", /^packages\/web\/src\/parts\/theme-style\.ts$/],
  ["names of scripts of Unicode", /^packages\/web\/src\/parts\/visible-text\.ts$/],
  ["names of agents and languages", /^packages\/web\/src\//, /^(?:build|plan|bash|json)$/],
  ["the form of a pairing code", /^packages\/web\/src\/devices\/pair-page\.tsx$/, /^XXXX-XXXX$/],
];

test("no text stands outside of the tables", () => {
  const used = new Set<string>();
  const found = sources
    .filter((file) => !isTable(file))
    .flatMap((file) =>
      literalsIn(file, read(file))
        .filter(isReadable)
        .filter(({ text }) => {
          const [why] = exempt.find(([, place, form]) => place.test(file) && (form?.test(text) ?? true)) ?? [];
          if (why !== undefined) used.add(why);
          return why === undefined;
        })
        .map(({ text }) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
  expect(exempt.map(([why]) => why).filter((why) => !used.has(why))).toEqual([]);
});

const tables = sources.filter(isTable);

/** Each entry with values that its types allow, by its name. */
async function renderTable(file: string): Promise<readonly (readonly [name: string, text: unknown])[]> {
  const table: unknown = await import(pathToFileURL(join(root, file)).href);
  const parameters = parametersOf(file, read(file));
  const render = (value: unknown, name: string): readonly (readonly [string, unknown])[] => {
    if (typeof value === "function") return samples(parameters.get(name) ?? []).map((given) => [name, value(...given)]);
    if (typeof value !== "object" || value === null) return [[name, value]];
    return Object.entries(value).flatMap(([key, member]) => render(member, name === "" ? key : `${name}.${key}`));
  };
  return render(table, "");
}

/** By type. A number is one, several, and many, because words around it must agree. */
const sampleValues: { readonly [type: string]: readonly unknown[] } = {
  string: ["sample"],
  "string | undefined": [undefined, "sample"],
  number: [1, 2, 12_345],
  "number | undefined": [2],
  "number | null": [1],
  boolean: [true, false],
  "readonly string[]": [[], ["one"], ["one", "two"]],
};

/** Columns have blanks between them. */
const rules = slips.filter(([what]) => what !== "two blanks between words");

/** As many calls as the parameter with the most values has values. */
function samples(types: readonly string[]): readonly (readonly unknown[])[] {
  const values = types.map((type) => sampleValues[type] ?? []);
  expect(types.filter((type) => sampleValues[type] === undefined)).toEqual([]);
  const count = Math.max(1, ...values.map(({ length }) => length));
  return Array.from({ length: count }, (_, call) => values.map((each) => each[call % each.length]));
}

test.each(tables)("%s reads well, with every value its slots take", async (file) => {
  const rendered = await renderTable(file);
  expect(rendered.length).toBeGreaterThan(0);
  const wrong = rendered.filter(([, text]) => {
    if (typeof text !== "string" || text === "") return true;
    const isRaw = /undefined|null(?! resets|, which)|NaN|\[object|\$\{|=>/.test(text);
    return isRaw || bannedWords.some((word) => word.test(text)) || rules.some(([, rule]) => rule.test(text));
  });
  expect(wrong).toEqual([]);
});
