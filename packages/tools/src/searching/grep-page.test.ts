import { expect, test } from "vitest";
import { createHitCollector } from "./grep-hits.ts";
import { choosePage } from "./grep-page.ts";

const rules = {
  hitsMax: 100,
  hitsPerFileMax: 2,
  lineCharactersMax: 10,
  accepts: (path: string) => path !== "no",
  lineCounts: (_path: string, line: number) => line !== 9,
  multiline: false,
};
const pageRules = { skip: 0, filesMax: 20, rowsMax: 250, before: 1, after: 1 };

test("records become files with matches and the lines around them", () => {
  const collector = createHitCollector(rules);
  const records = [
    "b\0" + "1-one",
    "b\0" + "2:two\r",
    "new",
    "line\0" + "5:a:b-c",
    "no\0" + "1:x",
    "b\0" + "2:two",
    "b\0" + "9:nine",
  ];
  for (const record of [
    ...records,
    "b\0" + "10:0123456789x",
    "b\0" + "11:eleven",
    'dat: binary file matches (found "\\0" byte around offset 3)',
  ])
    expect(collector.add(record)).toBe("more");
  expect(collector.result()).toEqual({
    files: [
      {
        path: "b",
        rows: [
          { line: 1, text: "one", isMatch: false },
          { line: 2, text: "two", isMatch: true },
          { line: 9, text: "nine", isMatch: true },
          { line: 10, text: "0123456789…", isMatch: true },
          { line: 11, text: "eleven", isMatch: true },
        ],
        hits: [
          { first: 2, last: 2 },
          { first: 10, last: 10 },
        ],
        more: true,
      },
      {
        path: "new\nline",
        rows: [{ line: 5, text: "a:b-c", isMatch: true }],
        hits: [{ first: 5, last: 5 }],
        more: false,
      },
    ],
    binary: ["dat"],
  });
});

test("lines that follow each other are one match where patterns span lines, and the first match is always shown", () => {
  const collector = createHitCollector({ ...rules, multiline: true });
  for (let line = 1; line <= 6; line++) collector.add(`a\0${line}:text`);
  const { files } = collector.result();
  expect(files[0]?.hits).toEqual([{ first: 1, last: 6 }]);
  const page = choosePage(files, { ...pageRules, rowsMax: 3 });
  expect(page.files[0]?.rows.map(({ line }) => line)).toEqual([1, 2]);
  expect(page).toMatchObject({ hitCount: 1, total: 1 });
});

test("the search ends when enough was seen", () => {
  const collector = createHitCollector({ ...rules, hitsMax: 2 });
  expect(collector.add("a\0" + "1:x")).toBe("more");
  expect(collector.add("b\0" + "1:x")).toBe("enough");
});
