import { expect, test } from "vitest";
import { readToolSearchSettings } from "./tool-search-settings.ts";

test.each([
  [undefined, "always"],
  ["true", "always"],
  ["auto:0", "always"],
  ["auto", { windowPercent: 10 }],
  ["auto:35", { windowPercent: 35 }],
  ["tst-auto:5", { windowPercent: 5 }],
  ["false", "off"],
  ["auto:100", "off"],
  ["auto:900", "always"],
  ["maybe", "always"],
] as const)("KEDGE_TOOL_SEARCH=%s means %j", (value, mode) => {
  expect(readToolSearchSettings(undefined, { KEDGE_TOOL_SEARCH: value }).mode).toEqual(mode);
  expect(readToolSearchSettings(undefined, { ENABLE_TOOL_SEARCH: value }).mode).toEqual(mode);
});

test("a variable is stronger than a file, and the first of two variables than the second", () => {
  const file = { mode: "auto", percent: 20 } as const;
  expect(readToolSearchSettings(file, {}).mode).toEqual({ windowPercent: 20 });
  expect(readToolSearchSettings(file, { KEDGE_TOOL_SEARCH: "true" }).mode).toBe("always");
  expect(readToolSearchSettings(file, { KEDGE_TOOL_SEARCH: "false", ENABLE_TOOL_SEARCH: "true" }).mode).toBe("off");
});

test("references are read at other addresses only if a variable asks for tool search, and never without betas", () => {
  const references = (environment: { readonly [name: string]: string }) =>
    readToolSearchSettings({ withoutReferences: ["small"] }, environment).references;
  const exceptModels = ["small"];
  expect(references({})).toEqual({ isOff: false, atAnyAddress: false, exceptModels });
  expect(references({ KEDGE_TOOL_SEARCH: "auto" })).toEqual({ isOff: false, atAnyAddress: true, exceptModels });
  const without = { KEDGE_TOOL_SEARCH: "true", KEDGE_DISABLE_EXPERIMENTAL_BETAS: "1" };
  expect(references(without)).toEqual({ isOff: true, atAnyAddress: true, exceptModels });
  expect(readToolSearchSettings(undefined, without).mode).toBe("off");
});
