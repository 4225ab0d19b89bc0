/** Bars, columns and lines of values: exact, never wider than asked for, and plain where blocks are missing. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { bareTheme } from "../../test/bare-theme.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { symbolPresets } from "../theme/symbols.ts";
import { barText } from "./bar-text.ts";
import { columnChart } from "./column-chart.ts";
import { sparkline } from "./sparkline.ts";

const theme = bareTheme();
const plain = bareTheme(symbolPresets.ascii);

test.each([
  [0, "░░░░░░░░░░"],
  [0.001, "█░░░░░░░░░"],
  [0.5, "█████░░░░░"],
  [0.999, "█████████░"],
  [1, "██████████"],
  [7, "██████████"],
  [-1, "░░░░░░░░░░"],
  [Number.NaN, "░░░░░░░░░░"],
])("a bar of %d", (share, bar) => {
  expect(barText(share, 10, theme)).toBe(bar);
});

test("bars of plain letters, of one cell and of none", () => {
  expect(barText(0.3, 10, plain)).toBe("###.......");
  expect(barText(0.3, 1, theme)).toBe("█");
  expect(barText(1, 1, theme)).toBe("█");
  expect(barText(0.3, 0, theme)).toBe("");
  expect(barText(0.3, -5, theme)).toBe("");
});

test("a line of values", () => {
  expect(sparkline([0, 1, 4, 8, 100, 0], theme.symbols)).toBe(" ▁▁▁█ ");
  expect(sparkline([0, 1, 50, 100], plain.symbols)).toBe(" .=#");
  expect(sparkline([0, 0], theme.symbols)).toBe("  ");
  expect(sparkline([], theme.symbols)).toBe("");
});

test("columns with a scale and labels", () => {
  const look = { height: 3, width: 20, labels: ["then", "now"] } as const;
  expect(columnChart([0, 1, 3, 6, 2], look, theme).join("\n")).toMatchInlineSnapshot(`
    "6          ██    
            ▄▄ ██    
    0    ▄▄ ██ ██ ██ 
      then        now"
  `);
  expect(columnChart([0, 1, 3, 6, 2], look, plain).join("\n")).toMatchInlineSnapshot(`
    "6          ##    
            ## ##    
    0    ## ## ## ## 
      then        now"
  `);
});

test("where there is no room for all, the last columns are shown, and the labels give way", () => {
  const values = Array.from({ length: 30 }, (_, index) => index);
  expect(columnChart(values, { height: 2, width: 12, labels: ["a month ago", "today"] }, theme)).toEqual([
    "29 ▄▄▅▅▆▆▇▇█",
    " 0 █████████",
    "   a month …",
  ]);
  expect(columnChart(values, { height: 2, width: 2, labels: ["", ""] }, theme)).toEqual([]);
  expect(columnChart([], { height: 2, width: 20, labels: ["", ""] }, theme)).toEqual([]);
});

test("whatever the values are, no line is wider than asked for", () => {
  const { seed, below } = createSeededRandom();
  for (let round = 0; round < 300; round += 1) {
    const values = Array.from({ length: below(60) }, () => below(1_000) - 100);
    const [width, height] = [below(90), below(9)];
    const lines = columnChart(
      values,
      { width, height, labels: ["漢字 first", "last"] },
      round % 2 === 0 ? theme : plain,
    );
    expect(lines.length, `seed ${seed}`).toBeLessThanOrEqual(height + 1);
    for (const line of lines) expect(visibleWidth(line), `seed ${seed}`).toBeLessThanOrEqual(width);
  }
});
