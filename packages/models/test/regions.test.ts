/** Regions of clouds: by model, by environment, by catalogue, and named when a model is not offered there. */
import type { ModelEvent, ModelRequest } from "@kedge/protocol";
import { expect, test } from "vitest";
import { regionOf } from "../src/catalogue/model-region.ts";
import { createModels } from "../src/create-models.ts";

test.each([
  ["anthropic.*", "anthropic.claude", "here"],
  ["*", "anything", "here"],
  ["*.claude-*-v1:0", "eu.claude-haiku-v1:0", "here"],
  ["*.claude-*-v1:0", "eu.claude-v1:0", undefined],
  ["claude", "claude", "here"],
  ["claude", "claude-2", undefined],
  ["a*a", "a", undefined],
  ["a*b*c", "abbc", "here"],
  ["(.*)+$", "aaaa", undefined],
])("the pattern %s on the model %s", (pattern, model, region) => {
  expect(regionOf({ regions: { [pattern]: "here" } }, model)).toBe(region);
});

const request: Omit<ModelRequest, "model"> = {
  ...{ source: "main", conversationId: "ses_1", system: "s", tools: [], requestId: "req-1", outputTokensMax: 100 },
  messages: [{ role: "user", text: "hi" }],
};

/** A package that notes what it is opened with and has no model to offer. */
function notingPackage() {
  const opened: unknown[] = [];
  const noSuchModel = () => {
    throw Object.assign(new Error("No such model here."), { name: "AI_NoSuchModelError" });
  };
  const model = { specificationVersion: "v3", doStream: noSuchModel, doGenerate: noSuchModel };
  const load = async () => ({
    createAmazonBedrock(settings: { readonly region?: unknown; readonly location?: unknown }) {
      opened.push(settings.region ?? settings.location);
      return { languageModel: () => model };
    },
    createGoogleVertex: (settings: { readonly location?: unknown }) => {
      opened.push(settings.location);
      return { languageModel: () => model };
    },
  });
  return { opened, load };
}

async function ask(models: ReturnType<typeof createModels>, ref: string): Promise<ModelEvent | undefined> {
  const found = await models.find(ref);
  if (!found.ok) throw new Error(found.failure.message);
  const events: ModelEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of found.provider.stream({ ...request, model: found.model }, signal)) events.push(event);
  return events.at(-1);
}

test("a model has the region of its pattern, then that of the environment, and a client of its own per region", async () => {
  const { opened, load } = notingPackage();
  const regions = { "eu.*": "eu-central-1", "apac.*": "ap-southeast-2" };
  const models = createModels(
    { "amazon-bedrock": { regions } },
    {
      keyOf: () => "key",
      variable: (name) => (name === "AWS_REGION" ? "us-west-2" : undefined),
      loadPackage: load,
    },
  );
  for (const id of ["eu.one", "eu.two", "apac.one", "one", "two"]) await ask(models, `amazon-bedrock/${id}`);
  expect(opened).toEqual(["eu-central-1", "ap-southeast-2", "us-west-2"]);
  models.forget("amazon-bedrock");
  await ask(models, "amazon-bedrock/eu.one");
  expect(opened.slice(3)).toEqual(["eu-central-1"]);
});

test("without any, the catalogue names one; Google's packages are told it as their location", async () => {
  const { opened, load } = notingPackage();
  const models = createModels(
    { "google-vertex": { regions: { "gemini-2*": "europe-west4" } } },
    { keyOf: () => "key", loadPackage: load },
  );
  await ask(models, "amazon-bedrock/one");
  await ask(models, "google-vertex/gemini-2.5-flash");
  await ask(models, "google-vertex/gemini-3.8-flash");
  expect(opened).toEqual(["us-east-1", "europe-west4", "global"]);
});

test("a model that is not offered in its region names the region and the setting", async () => {
  const { load } = notingPackage();
  const models = createModels(
    { "amazon-bedrock": { regions: { "eu.*": "eu-central-1" } } },
    { keyOf: () => "key", loadPackage: load },
  );
  expect(await ask(models, "amazon-bedrock/eu.one")).toMatchObject({
    type: "failed",
    failure: {
      code: "invalid_model",
      recovery:
        "Check that eu.one is available in eu-central-1; provider.amazon-bedrock.regions sets another region for it.",
    },
  });
});
