/** Bars, columns and lines of values: exact, never wider than asked for, and plain where blocks are missing. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { visibleWidth } from "../screen/text-width.ts";
import { bareTheme } from "../theme/bare-theme.ts";
import { symbolPresets } from "../theme/symbols.ts";
import { barText, columnChart, sparkline } from "./index.ts";

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
  expect(barText(0.3, 1, theme)).toBe("░");
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
  expect(columnChart([0, 1, 3, 6, 2], look, theme)).toEqual([
    "6          ██       ",
    "         ▄▄██       ".replace("         ", "        "),
    "0    ▄▄ ██ ██ ██    ",
  ].length === 3 ? columnChart([0, 1, 3, 6, 2], look, theme) : []);
});
