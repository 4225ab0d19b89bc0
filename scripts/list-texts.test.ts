/** Reads every text of the product once: what no technical writer would leave in is found, wherever it stands. */
import { expect, test } from "vitest";
import { listTexts } from "./list-texts.ts";
import { surfaceNames, textsIn } from "./source-texts.ts";
import { slipsIn } from "./text-rules.ts";

const texts = listTexts();

/** Lists of words that are looked for are no texts. */
const listed = /without-typos|knowledge\/keywords|remember-wish/;

/** Of a source as it is read, not of this one. */
const slot = (code: string) => `\${${code}}`;

test("the list has the texts of every surface", () => {
  const counts = new Map(surfaceNames.map((name) => [name, texts.filter(({ surface }) => surface === name).length]));
  expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
  expect(texts.length).toBeGreaterThan(3_000);
  const known = ["Resume the interrupted run", "Maximum number of model calls", `Edit ${slot("name")}?`, "No matches."];
  expect(known.filter((text) => !texts.some((each) => each.text === text))).toEqual([]);
});

test("no text has a slip that a writer would correct", () => {
  const read = texts.filter(({ file }) => !listed.test(file));
  const found = read.flatMap(({ file, line, text }) =>
    slipsIn(text).map((what) => `${file}:${line}: ${what}: ${text.slice(0, 120)}`),
  );
  expect(found).toEqual([]);
});

test("strings, templates with templates in their slots, and neither comments nor code", () => {
  const text = `Read ${slot(`count === 1 ? \`one file\` : \`${slot("count")} files\``)} again.`;
  const source = [
    "// A comment with words.",
    'const one = "Two words here.";',
    `const other = \`${text}\`;`,
    'const sql = "SELECT name FROM rows";',
    'const key = "session.list";',
  ].join("\n");
  expect(textsIn("packages/cli/src/a.ts", source)).toEqual([
    { surface: "command line", file: "packages/cli/src/a.ts", line: 2, text: "Two words here." },
    {
      surface: "command line",
      file: "packages/cli/src/a.ts",
      line: 3,
      text,
    },
  ]);
});
