import { expect, test } from "vitest";
import { openCatalogue } from "../catalogue/open-catalogue.ts";
import type { ProviderSettings } from "../catalogue/provider-settings.ts";
import { createModels } from "../create-models.ts";
import { findTier, nameModel, namingNotice } from "./name-model.ts";
import { tierNames, tierOf } from "./tier-names.ts";

const catalogue = openCatalogue();

function partsWith(variables: readonly string[], providers: ProviderSettings = {}, tiers = {}) {
  const keyOf = (_: string, names: readonly string[]) =>
    names.some((name) => variables.includes(name)) ? "key" : undefined;
  return { providers, catalogue, tiers, keyOf };
}

const local: ProviderSettings = {
  here: { api: "openai-chat", baseURL: "http://127.0.0.1:9/v1", models: { tiny: {}, "claude-haiku-copy": {} } },
};

test.each([
  ["haiku", "openai/gpt-5.6-luna", "provider"],
  ["small", "openai/gpt-5.6-luna", "provider"],
  ["fast", "openai/gpt-5.6-luna", "provider"],
  ["Sonnet", "openai/gpt-5.6", "provider"],
  ["medium", "openai/gpt-5.6", "provider"],
  ["opus", "openai/gpt-6-astra", "provider"],
  ["large", "openai/gpt-6-astra", "provider"],
  ["slow", "openai/gpt-6-astra", "provider"],
  ["gpt-5-mini", "openai/gpt-5-mini", "id"],
  ["openai/gpt-5-mini", "openai/gpt-5-mini", "id"],
  // Ids of a vendor without a key are read for the tier they belong to.
  ["claude-haiku-4-5", "openai/gpt-5.6-luna", "provider"],
  ["anthropic/claude-opus-4-5", "openai/gpt-6-astra", "provider"],
  ["inherit", "openai/gpt-5.6-sol", "id"],
  [" ", "openai/gpt-5.6-sol", "id"],
  ["toString", "openai/gpt-5.6-sol", "session"],
  ["gibberish", "openai/gpt-5.6-sol", "session"],
])("%s is %s with nothing but a key for OpenAI", (name, ref, by) => {
  expect(nameModel(name, "openai/gpt-5.6-sol", partsWith(["OPENAI_API_KEY"]))).toMatchObject({ ref, by });
});

test("the user's choice wins over the catalogue, unless it cannot be used", () => {
  const tiers = { fast: "here/tiny", slow: "anthropic/claude-opus-5-5" };
  const parts = partsWith(["OPENAI_API_KEY"], local, tiers);
  expect(nameModel("haiku", "openai/gpt-5.6", parts)).toEqual({ ref: "here/tiny", by: "setting", tier: "fast" });
  expect(nameModel("opus", "openai/gpt-5.6", parts)).toEqual({
    ref: "openai/gpt-6-astra",
    by: "provider",
    tier: "slow",
  });
});

test("a vendor without tiers leaves the name to another one with a key, and to the session's model without any", () => {
  const withKey = nameModel("haiku", "here/tiny", partsWith(["ANTHROPIC_API_KEY"], local));
  expect(withKey).toEqual({ ref: "anthropic/claude-haiku-4-5", by: "credential", tier: "fast" });
  expect(namingNotice("haiku", withKey, "here/tiny")).toBe(
    '"haiku" uses anthropic/claude-haiku-4-5: here has no fast model. Set models.fast to change it.',
  );
  const without = nameModel("haiku", "here/tiny", partsWith([], local));
  expect(without).toEqual({ ref: "here/tiny", by: "session", tier: "fast" });
  expect(namingNotice("haiku", without, "here/tiny")).toBe(
    '"haiku" uses here/tiny: no model of that name is available. Set models.fast to change it.',
  );
});

test("a model of the session's vendor is found without its vendor", () => {
  expect(nameModel("claude-haiku-copy", "here/tiny", partsWith(["OPENAI_API_KEY"], local))).toEqual({
    ref: "here/claude-haiku-copy",
    by: "id",
  });
});

test("each tier of the catalogue is one of the vendor's models", () => {
  const wrong = catalogue.ids().flatMap((id) => {
    const row = catalogue.provider(id);
    return tierNames.flatMap((tier) => {
      const model = row?.tiers?.[tier];
      return model === undefined || row?.models[model] !== undefined ? [] : [`${id}/${model}`];
    });
  });
  expect(wrong).toEqual([]);
  expect(findTier("fast", "mistral", partsWith(["MISTRAL_API_KEY"]))?.ref).toBe("mistral/mistral-small-latest");
});

test("a name is reported once, and only where the model is an unexpected one", async () => {
  const said: string[] = [];
  const models = createModels(local, { catalogue, onNamed: (sentence) => said.push(sentence) });
  for (const name of ["opus", "opus", "here/tiny", "inherit"])
    expect(await models.find(name, "here/tiny")).toMatchObject({ ok: true, model: { ref: "here/tiny" } });
  expect(said).toEqual(['"opus" uses here/tiny: no model of that name is available. Set models.slow to change it.']);
  expect(await models.find("opus")).toMatchObject({ ok: false });
});

test("names are those of a table", () => {
  expect(["constructor", "__proto__", "", "gpt-6"].map(tierOf)).toEqual([undefined, undefined, undefined, undefined]);
});
