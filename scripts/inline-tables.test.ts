import { expect, test } from "vitest";
import { withSingleTexts, withTexts } from "./inline-tables.ts";

const table = [
  "export const listTexts = {",
  '  close: "esc close",',
  "  found: (count: number) => String(count),",
  '  unused: "Never shown.",',
  "} as const;",
].join("\n");

test("a fixed text stands where it is used, one with slots is imported alone", () => {
  const code = 'import { listTexts } from "../texts/dialogs.ts";\nshow(listTexts.close, listTexts.found(2), tips);';
  expect(withTexts(code, () => table)).toBe(
    [
      'import { listTexts } from "../texts/dialogs.ts";',
      'import { listTexts$found } from "../texts/dialogs.ts";',
      'show(("esc close"), listTexts$found(2), tips);',
    ].join("\n"),
  );
  expect(withSingleTexts(table)).toContain('export const listTexts$close = "esc close";');
});

test("texts of other tables are left where they are", () => {
  const code = 'import { pageTexts } from "../texts/page.ts";\nshow(pageTexts.title);';
  expect(withTexts(code, () => undefined)).toBe(code);
});
