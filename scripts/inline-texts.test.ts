import { expect, test } from "vitest";
import { withSingleTexts, withTexts } from "./inline-texts.ts";

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

test("a module of texts is used in the same way, also between tags", () => {
  const module = 'export const send =\n  "Send";\nexport const to = (name: string) => name;\n';
  const code =
    'import * as texts from "../texts/views/agents.ts";\nconst view = <b title={texts.to(name)}>{texts.send}</b>;';
  expect(withTexts(code, () => module)).toBe(code.replace("texts.send", '("Send")'));
  expect(withSingleTexts(module)).toBe(module);
});

test("texts of other tables are left where they are", () => {
  const code = 'import { pageTexts } from "../texts/page.ts";\nshow(pageTexts.title);';
  expect(withTexts(code, () => undefined)).toBe(code);
});
