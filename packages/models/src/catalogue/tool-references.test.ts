import { expect, test } from "vitest";
import type { CatalogueProvider } from "./catalogue-row.ts";
import { describeModel, type ToolReferenceChoice } from "./describe-model.ts";

const row: CatalogueProvider = {
  id: "a",
  name: "A",
  api: "anthropic",
  keys: [],
  defaults: { toolReferences: true },
  models: { large: {}, "tiny-haiku": {} },
};
const proxy = { baseURL: "https://proxy.invalid/v1" };
const choice: ToolReferenceChoice = { isOff: false, atAnyAddress: false, exceptModels: ["haiku"] };

test.each([
  ["the vendor's own address", "large", { row, setting: undefined, toolReferences: choice }, true],
  ["no word about it", "large", { row, setting: undefined }, true],
  ["another address", "large", { row, setting: proxy, toolReferences: choice }, undefined],
  [
    "another address and a wish",
    "large",
    { row, setting: proxy, toolReferences: { ...choice, atAnyAddress: true } },
    true,
  ],
  ["a model without them", "tiny-haiku", { row, setting: undefined, toolReferences: choice }, undefined],
  ["betas turned off", "large", { row, setting: undefined, toolReferences: { ...choice, isOff: true } }, undefined],
  ["a vendor of one's own", "x", { row: undefined, setting: proxy, toolReferences: choice }, undefined],
  [
    "the same and a wish",
    "x",
    { row: undefined, setting: proxy, toolReferences: { ...choice, atAnyAddress: true } },
    true,
  ],
] as const)("references with %s", (_, id, description, expected) => {
  const named = { ref: `a/${id}`, provider: "a", id };
  expect(describeModel(named, { ...description, api: "anthropic" }).capabilities?.toolReferences).toBe(expected);
  expect(describeModel(named, { ...description, api: "openai-chat" }).capabilities?.toolReferences).toBeUndefined();
});
