/** Proves that changing one value in a text leaves every other character of it alone. */
import type { Json } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { openEditor } from "./edit-settings-text.ts";

type Row = readonly [before: string, path: string, value: Json | undefined, after: string | undefined];

async function expectRows(file: string, rows: readonly Row[]) {
  const { edit } = await openEditor(file);
  const edited = rows.map(([before, path, value]) => edit(before, path.split("."), value));
  expect(edited).toEqual(rows.map(([, , , after]) => after));
}

test("taking a JSON property out takes its comma and the comment on its line, and nothing else", async () => {
  await expectRows("config.jsonc", [
    [
      '{\n  // head\n  "a": 1, // of a\n  // of b\n  "b":   2, // also b\n  /* of c */ "c": 3 // of c\n  // end\n}\n',
      "b",
      undefined,
      '{\n  // head\n  "a": 1, // of a\n  // of b\n  /* of c */ "c": 3 // of c\n  // end\n}\n',
    ],
    ['{\n  "a": 1, // of a\n  // of b\n  "b": 2 // of b\n}\n', "b", undefined, '{\n  "a": 1 // of a\n  // of b\n}\n'],
    ['{\n  "a": 1,\n  "b": 2,\n}\n', "b", undefined, '{\n  "a": 1,\n}\n'],
    ['{\n  "a": 1 /* x */, // y\n  "b": 2\n}\n', "a", undefined, '{\n  "b": 2\n}\n'],
    ['{\n  "a": 1 // x\n  , "b": 2\n}\n', "a", undefined, '{\n   "b": 2\n}\n'],
    ['{ "a": 1, /* of b */ "b": 2, "c": 3 }', "a", undefined, '{ /* of b */ "b": 2, "c": 3 }'],
    ['{ "a": 1, "b": 2, "c": 3 }', "b", undefined, '{ "a": 1, "c": 3 }'],
    ['{ "a": 1, "b": 2 }', "b", undefined, '{ "a": 1 }'],
    ['{"a":1,"b":2}', "a", undefined, '{"b":2}'],
    ['// head\n{\n  "a": 1\n}\n', "a", undefined, "// head\n{}\n"],
    ['{\n  // stays\n  "a": 1\n}\n', "a", undefined, "{\n  // stays\n}\n"],
    ['{ "g": { "a": 1 } // of g\n}\n', "g.a", undefined, '{ "g": {} // of g\n}\n'],
    ['{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n', "b", undefined, '{\r\n  "a": 1\r\n}\r\n'],
    ['\uFEFF{ "a": 1, "b": 2 }', "a", undefined, '\uFEFF{ "b": 2 }'],
  ]);
});

test("a JSON property is put behind the last one and its comment, in the manner of the file", async () => {
  await expectRows("config.jsonc", [
    ['{\n  "a": 1 // of a\n}\n', "b", 2, '{\n  "a": 1, // of a\n  "b": 2\n}\n'],
    ['{\n  "a": 1, // of a\n}\n', "b", 2, '{\n  "a": 1, // of a\n  "b": 2,\n}\n'],
    ['{\n\t"a":   [1]\n}\n', "b.c", 2, '{\n\t"a":   [1],\n\t"b": {\n\t\t"c": 2\n\t}\n}\n'],
    ['{ "a": 1 }', "b.c", 2, '{ "a": 1, "b": {"c":2} }'],
    ['{ "a": 1 // of a\n}', "b", 2, '{ "a": 1, // of a\n  "b": 2\n}'],
    ["{ // head\n}\n", "b", 2, '{ // head\n  "b": 2\n}\n'],
    ["{}\n", "b", 2, '{\n  "b": 2\n}\n'],
    ["", "b", 2, '{\n  "b": 2\n}\n'],
    ['{\r\n  "a": { "x": 1 } // y\r\n}\r\n', "a", "z", '{\r\n  "a": "z" // y\r\n}\r\n'],
    ['{\r\n  "a": null\r\n}\r\n', "a.b", true, '{\r\n  "a": {\r\n    "b": true\r\n  }\r\n}\r\n'],
    ['{ "a": "text" }', "a.b", true, undefined],
    ['\uFEFF{ "a": 1 }', "a", 2, '\uFEFF{ "a": 2 }'],
  ]);
});

test("taking a YAML setting out keeps the head of the file and the comments of others", async () => {
  await expectRows("config.yml", [
    [
      "# head\n\nmodel: a/b   # why\nlimits:\n    maxTurns: 5   # few\n",
      "model",
      undefined,
      "# head\n\nlimits:\n    maxTurns: 5   # few\n",
    ],
    ["# head\nmodel: a/b\n", "model", undefined, "# head\n"],
    [
      "# head\nlimits:\n  maxTurns: 5\n\n# of model\nmodel: a/b\n",
      "limits",
      undefined,
      "# head\n\n# of model\nmodel: a/b\n",
    ],
    ["limits:\n  maxTurns: 5 # few\nmodel: a/b\n", "limits.maxTurns", undefined, "limits: {}\nmodel: a/b\n"],
    [
      "limits: # of limits\n  # of turns\n  maxTurns: 5\n",
      "limits.maxTurns",
      undefined,
      "limits: # of limits\n  # of turns\n  {}\n",
    ],
    ["limits:\n  a: |\n    text\n  b: 2", "limits.b", undefined, "limits:\n  a: |\n    text\n"],
    ["# head\nlimits: { a: 1, b: 2 }\n", "limits.a", undefined, "# head\nlimits: { b: 2 }\n"],
    ["titles:\nmodel: a/b\n", "titles", undefined, "model: a/b\n"],
    [
      "\uFEFF# head\r\nmodel: a/b\r\ntitles:\r\n  enabled: true\r\n",
      "model",
      undefined,
      "\uFEFF# head\r\ntitles:\r\n  enabled: true\r\n",
    ],
    ["? model\n: a/b\n", "model", undefined, undefined],
  ]);
});

test("a YAML setting is set below an empty name, with the line ends and the mark of the file", async () => {
  await expectRows("config.yaml", [
    ["# head\ntitles:\nmodel: a/b\n", "titles.enabled", true, "# head\ntitles:\n  enabled: true\nmodel: a/b\n"],
    [
      "\uFEFF# head\r\nmodel: a/b   # why\r\nlimits:\r\n    maxTurns: 5\r\n",
      "model",
      "c/d",
      "\uFEFF# head\r\nmodel: c/d   # why\r\nlimits:\r\n    maxTurns: 5\r\n",
    ],
    [
      "titles: # of titles\nmodel: a/b\n",
      "titles.enabled",
      true,
      "titles:\n  # of titles\n  enabled: true\nmodel: a/b\n",
    ],
    ["model: |- # why\r\n  a/b\r\njobs: { max: 2 }\r\n", "model", "c/d", "model: c/d # why\r\njobs: { max: 2 }\r\n"],
    ["# head\nmodel: a/b\n", "jobs.max", 3, "# head\nmodel: a/b\njobs:\n  max: 3\n"],
    ["own: { key: a, other: b }\n", "own.key", "x, y: z", 'own: { key: "x, y: z", other: b }\n'],
    ["key: 'a'\n", "key", "true", 'key: "true"\n'],
    ["base: &x { enabled: false }\ntitles: *x\n", "titles.enabled", true, undefined],
  ]);
});

test("whatever stands around, the comments of others survive and the rest says the same", async () => {
  const { seed, below } = createSeededRandom();
  const { edit, parse } = await openEditor("config.jsonc");
  const pick = <Each>(...from: readonly [Each, ...Each[]]): Each => from[below(from.length)] ?? from[0];
  for (let round = 0; round < 300; round++) {
    const names = ["a", "b", "c", "d"].slice(0, pick(1, 2, 3, 4));
    const before = names.map((name, index) => {
      const comma = index < names.length - 1 ? "," : pick("", ",");
      const lead = pick("", "\n  ", `\n  // before ${name}\n  `, `/* before ${name} */ `);
      const tail = pick("", " ", `${" "}/* ${name} */`);
      return `${lead}"${name}": ${pick("1", '"x"', "[1, 2]", '{ "y": 1 }')}${tail}${comma}${pick("", "\n", ` // ${name}\n`)}`;
    });
    const text = `{${before.join("")}${pick("", "\n", " ")}}`;
    const name = names[below(names.length)] ?? "a";
    const told = `seed ${seed}, round ${round}, ${name} in ${text}`;
    const after = edit(text, [name], undefined) ?? "";
    const { [name]: _, ...rest } = parse(text) ?? {};
    expect(parse(after), told).toEqual(rest);
    const comments = (of: string) =>
      of.match(/\/\/.*|\/\*.*?\*\//g)?.filter((each) => !each.split(" ").includes(name)) ?? [];
    expect(comments(after), told).toEqual(comments(text));
    expect(parse(edit(text, ["new"], 7) ?? ""), told).toEqual({ ...parse(text), new: 7 });
    expect(comments(edit(text, ["new"], 7) ?? ""), told).toEqual(comments(text));
  }
});
