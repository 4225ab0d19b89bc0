/** Proves that what the screens and the command line say stands in tables, and that each entry of them reads well. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { type Parameter, parametersOf, type Slot } from "./function-parameters.ts";
import { isTable, type Literal, literalsIn } from "./source-texts.ts";
import { bannedWords, slips } from "./text-rules.ts";

const root = resolve(import.meta.dirname, "..");
const surfaces = ["cli", "tui", "web"];

const sources = globSync(`packages/{${surfaces.join(",")}}/src/**/*.{ts,tsx}`, { cwd: root })
  .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  .sort();
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Words with blanks between them, or one word as a title. A label is read however short it is. */
function isReadable({ words, isLabel, isOfBug }: Literal): boolean {
  if (isOfBug) return false;
  if (isLabel) return /[A-Za-z]{2}/.test(words);
  return /[A-Za-z]{2,}[^A-Za-z]* \S|\S +[A-Za-z(]{2,}/.test(words) || /^[A-Z][a-z]+[.…]?$/.test(words);
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
  ["lines of the demo made of others", /^packages\/cli\/src\/demo\/play-demo\.ts$/, /^ {3}\$\{answerHint/],
  ["a line of `--startup`", /^packages\/cli\/src\/start\/startup-stages\.ts$/],
  ["shapes of icons", /^packages\/web\/src\/frame\/icons\.tsx$/],
  ["places of the cursor in vim", /^packages\/tui\/src\//, /^(?:first non-blank|after cursor|line end|cell before)$/],
  ["what became of a key", /^packages\/tui\/src\//, /^left to others$/],
  ["keys of caches and units", /^packages\/tui\/src\//, /^(?:list|find|resource|symbol|group) \$\{/],
  ["names of requests, and of a choice", /^packages\/tui\/src\//, /^(?:engine commands|memory inbox|kedge demo)$/],
  ["lines for the engine", /^packages\/tui\/src\//, /^(?:\/memory add|inbox \$\{answer\}) \$\{/],
  ["looked for in what the engine says", /^packages\/tui\/src\//, /^environment variable $|^\n\(in \$\{directory\}\)$/],
  ["keys, the end of names of symbols, a color", /^packages\/tui\/src\//, /^(?:Escape|alt|Frames|syntaxFunction)$/],
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
    "const five = <p title='Close' class='two classes'>Read it</p>;",
  ].join("\n");
  const found = literalsIn("a.tsx", source).filter(isReadable);
  expect(found.map(({ text }) => text)).toEqual([
    ...["Two words.", `${slot("count")} left`, "rename", "Untitled", "Close", "Read it"],
  ]);
});

const tables = sources.filter(isTable);

type Rendered = { readonly name: string; readonly text: unknown; readonly parameters: readonly Parameter[] };

/** Each entry with values that its types allow, by its name. */
async function renderTable(file: string): Promise<readonly Rendered[]> {
  const table: unknown = await import(pathToFileURL(join(root, file)).href);
  const known = parametersOf(file, read(file));
  const render = (value: unknown, name: string): readonly Rendered[] => {
    const parameters = known.get(name) ?? [];
    if (typeof value === "function")
      return rounds.map((round) => ({ name, text: value(...given(parameters, round)), parameters }));
    if (typeof value !== "object" || value === null) return [{ name, text: value, parameters }];
    return Object.entries(value).flatMap(([key, member]) => render(member, name === "" ? key : `${name}.${key}`));
  };
  return render(table, "");
}

/** A number is one, several, and many, because words around it must agree. */
const rounds = [0, 1, 2];
const sampleValues: { readonly [type: string]: (name: string) => readonly unknown[] } = {
  string: (name) => [`<${name}>`],
  "string | undefined": (name) => [undefined, `<${name}>`],
  number: () => [1, 2, 12_345],
  "number | undefined": () => [undefined, 2, 12_345],
  "number | null": () => [null, 1, 2],
  boolean: () => [true, false],
  "readonly string[]": () => [[], ["one"], ["one", "two"]],
};

function given(parameters: readonly Parameter[], round: number): readonly unknown[] {
  const sampleOf = ({ name, type }: Slot) => {
    const values = sampleValues[type]?.(name);
    if (values === undefined) throw new Error(`no sample of ${type}`);
    return values[round % values.length];
  };
  return parameters.map(({ isNamed, slots }) =>
    isNamed ? Object.fromEntries(slots.map((each) => [each.name, sampleOf(each)])) : slots.map(sampleOf)[0],
  );
}

/** Columns have blanks between them. */
const rules = slips.filter(([what]) => what !== "two blanks between words");

/** What a slot shows where nothing was given for it, or what a source looks like. */
const raw = /undefined|\bnull(?!, which)|NaN|\[object|\$\{|=>/;

test.each(tables)("%s reads well, with every value its slots take", async (file) => {
  const rendered = await renderTable(file);
  expect(rendered.length).toBeGreaterThan(0);
  const wrong = rendered.filter(({ text }) => {
    if (typeof text !== "string" || text === "") return true;
    return raw.test(text) || bannedWords.some((word) => word.test(text)) || rules.some(([, rule]) => rule.test(text));
  });
  expect(wrong.map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
});

test.each(tables)("%s shows every value that it takes", async (file) => {
  for (const [name, [first, , last]] of Map.groupBy(await renderTable(file), (each) => each.name)) {
    for (const { name: value, type } of (first?.parameters ?? []).flatMap(({ slots }) => slots)) {
      if (type === "string") expect(first?.text, name).toContain(`<${value}>`);
      if (type === "number") expect(first?.text, name).not.toBe(last?.text);
    }
  }
});

test("commands and keys are described in the imperative, without a full stop", async () => {
  const all = (await Promise.all(tables.map(renderTable))).flat();
  const listed = /^(?:session|model|view|kedge)CommandTexts\.|^actionTexts\./;
  const descriptions = all.filter(({ name }) => listed.test(name)).map(({ text }) => String(text));
  expect(descriptions.length).toBeGreaterThan(80);
  expect(descriptions.filter((text) => /^[A-Z]\w*[^s]s\b|[.!]$|^[a-z]/.test(text))).toEqual([]);
});
