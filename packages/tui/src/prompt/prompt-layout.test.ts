import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { visibleWidth } from "../screen/text-width.ts";
import { drawnGrapheme } from "./input-text.ts";
import { createPromptLayout, type PromptLayout, type Row } from "./prompt-layout.ts";

const family = "👨‍👩‍👧‍👦";
const layoutOf = (text: string, width: number) => createPromptLayout(text, width, drawnGrapheme);
const drawn = (row: Row) => row.cells.map((cell) => cell.drawn).join("");

function allRows(layout: PromptLayout): readonly Row[] {
  const rows: Row[] = [];
  for (let row: Row | undefined = layout.rowAt(0); row !== undefined; row = layout.rowBelow(row)) rows.push(row);
  return rows;
}

test.each<readonly [string, number, readonly string[]]>([
  ["", 10, [""]],
  ["hello", 10, ["hello"]],
  ["hello world again", 11, ["hello world ", "again"]],
  ["hello world again", 10, ["hello ", "world ", "again"]],
  ["a\n\nb", 10, ["a", "", "b"]],
  ["a\n", 10, ["a", ""]],
  ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
  ["ab   cd", 2, ["ab ", "  ", "cd"]],
  ["漢字漢字漢", 5, ["漢字", "漢字", "漢"]],
  ["see 漢字漢字", 8, ["see 漢字", "漢字"]],
  [`${family}${family}`, 3, [family, family]],
  ["🇨🇭🇩🇪🇫🇷", 4, ["🇨🇭🇩🇪", "🇫🇷"]],
  ["e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]],
  ["\u0301a", 5, ["◌\u0301a"]],
  ["a\tb", 10, ["a    b"]],
  ["full ", 4, ["full ", ""]],
])("%j in %i columns", (text, width, expected) => {
  expect(allRows(layoutOf(text, width)).map(drawn)).toEqual(expected);
});

test("up and down go by rows and keep to columns", () => {
  const layout = layoutOf("hello world\n漢字漢字", 6);
  expect(allRows(layout).map(drawn)).toEqual(["hello ", "world", "漢字漢", "字"]);
  expect(layout.columnOf(9)).toBe(3);
  expect(layout.offsetBeside(9, -1, 3)).toBe(3);
  expect(layout.offsetBeside(9, 1, 3)).toBe(13);
  expect(layout.columnOf(13)).toBe(2);
  expect(layout.offsetBeside(0, -1, 0)).toBe(undefined);
  expect(layout.offsetBeside(15, 1, 0)).toBe(undefined);
});

test("a column means the sign that covers it, or the last place of the row", () => {
  const layout = layoutOf(`a${family}b\nc`, 10);
  const row = layout.rowAt(0);
  expect([0, 1, 2, 3, 4, 99].map((column) => layout.offsetInRow(row, column))).toEqual([0, 1, 1, 12, 13, 13]);
  const wrapped = layoutOf("abcdef", 3);
  expect(wrapped.offsetInRow(wrapped.rowAt(0), 99)).toBe(2);
});

test("the view follows the cursor and stays while the cursor is in it", () => {
  const layout = layoutOf(Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n"), 40);
  const offsetOf = (line: number) => allRows(layout)[line]?.start ?? 0;
  const view = (line: number, first: number) => {
    const seen = layout.view({ cursor: offsetOf(line), firstBefore: offsetOf(first), rowsMax: 4 });
    return [seen.rows.map(drawn).join(","), seen.isMoreAbove, seen.isMoreBelow];
  };
  expect(view(0, 0)).toEqual(["line 0,line 1,line 2,line 3", false, true]);
  expect(view(5, 0)).toEqual(["line 2,line 3,line 4,line 5", true, true]);
  expect(view(3, 2)).toEqual(["line 2,line 3,line 4,line 5", true, true]);
  expect(view(1, 2)).toEqual(["line 1,line 2,line 3,line 4", true, true]);
  expect(view(19, 19)).toEqual(["line 16,line 17,line 18,line 19", true, false]);
});

test("an endless line of any signs is whole, row after row, both ways", () => {
  const ends = [1_999, 2_000, 2_001, 4_000, 6_000].flatMap((count) => [
    `${"x".repeat(count)}`,
    `${"x".repeat(count)}\ny`,
  ]);
  const long = ["x", "漢", family, "word "].map((sign) => sign.repeat(3_000));
  for (const text of [...ends, ...long, `a\n${"x".repeat(5_000)}\n\n${"y".repeat(2_500)}\n`]) {
    const layout = layoutOf(text, 37);
    const rows = allRows(layout);
    const whole = rows.map(({ start, end, isLineEnd }) => text.slice(start, end) + (isLineEnd ? "\n" : ""));
    expect(whole.join("")).toBe(`${text}\n`);
    const back: Row[] = [];
    for (let row: Row | undefined = layout.rowAt(text.length); row; row = layout.rowAbove(row)) back.unshift(row);
    expect(back.map(({ start }) => start)).toEqual(rows.map(({ start }) => start));
  }
});

test("random texts: every sign is in one row, no row is too wide, and every place is found again", () => {
  const random = createSeededRandom();
  const pieces = ["a", "word ", " ", "\n", "漢字", family, "🇨🇭", "e\u0301", "\t", "https://example.org/a/b", "한국어"];
  for (let round = 0; round < 150; round += 1) {
    const count = random.below(60);
    const text = Array.from({ length: count }, () => pieces[random.below(pieces.length)]).join("");
    const width = 4 + random.below(30);
    const layout = layoutOf(text, width);
    const rows = allRows(layout);
    const about = `seed ${random.seed}: ${JSON.stringify(text)} in ${width}`;
    expect(
      rows.map(({ start, end, isLineEnd }) => text.slice(start, end) + (isLineEnd ? "\n" : "")).join(""),
      about,
    ).toBe(`${text}\n`);
    for (const row of rows) {
      expect(visibleWidth(drawn(row).replace(/ $/, "")), about).toBeLessThanOrEqual(width);
      for (const cell of row.cells) {
        const column = layout.columnOf(cell.offset);
        if (cell.width > 0) expect(layout.offsetInRow(layout.rowAt(cell.offset), column), about).toBe(cell.offset);
      }
    }
  }
});
