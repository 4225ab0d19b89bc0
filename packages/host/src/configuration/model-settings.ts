/** The settings about models: which one works, how much it thinks, and the vendors and servers that have it. */
import { apis, fixedBodyFields, quirkNames, reasoningControls } from "@kedge/models";
import { efforts, isJsonObject } from "@kedge/protocol";
import {
  amount,
  flag,
  modelReference,
  object,
  oneOf,
  record,
  said,
  satisfies,
  secretText,
  someOf,
  text,
  webAddress,
  wholeNumber,
} from "./checks.ts";
import { allowed, ignored, type SettingDeclarations } from "./setting-declaration.ts";

const wholeNumberOrNone = satisfies(
  "a whole number, 0 for none",
  { type: "integer", minimum: 0 },
  (value) => Number.isInteger(value) && Number(value) >= 0,
);

/** With or without a scope, and a part of the package behind it. */
const packageName = satisfies(
  "the name of a package",
  { type: "string" },
  (value) => typeof value === "string" && /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/[\w.-]+)?$/.test(value),
);

const cost = object({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount, reasoning: amount });

const model = object({
  name: said("Display name.", text),
  context: said("Context size in tokens.", wholeNumber),
  output: said("Maximum output tokens.", wholeNumber),
  cost: said("Prices in US dollars per million tokens.", cost),
  reasoning: said("How reasoning is requested.", oneOf(reasoningControls)),
  images: said("Accepts images.", flag),
  documents: said("Accepts PDFs.", flag),
  temperature: said("Fields to send with requests without reasoning.", amount),
});

/** It becomes part of a host name. */
const regionName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const provider = object({
  api: said("API the server speaks.", oneOf(apis)),
  baseURL: said("Base URL, including the API version.", webAddress),
  apiKey: said("API key; overrides environment variables and saved keys.", secretText),
  headers: said("HTTP headers to send with every request.", record(secretText)),
  body: said(
    "Fields to add to every request body.",
    satisfies(`an object without ${fixedBodyFields.join(", ")}`, { type: "object", writeOnly: true }, isExtraBody),
  ),
  npm: said("AI SDK package for this provider.", packageName),
  options: said(
    "Options for that package, besides key, URL and headers.",
    satisfies("an object", { type: "object", writeOnly: true }, isJsonObject),
  ),
  regions: said(
    "Cloud regions by model id; * matches any characters, the first match counts.",
    record(satisfies("the name of a region", { type: "string", pattern: regionName.source }, isRegion)),
  ),
  quirks: said("Deviations of this server from its API.", someOf(quirkNames)),
  cacheTtl: said("Lifetime of the provider's prompt cache.", oneOf(["5m", "1h", "off"])),
  compaction: said("Let the provider compact conversations.", flag),
  models: said("Models by id. If set, only these and the catalog's models are accepted.", record(model)),
});

function isRegion(value: unknown): boolean {
  return typeof value === "string" && regionName.test(value);
}

function isExtraBody(value: unknown): boolean {
  return isJsonObject(value) && !fixedBodyFields.some((name) => Object.hasOwn(value, name));
}

export const modelSettings: SettingDeclarations = {
  model: {
    check: said("Model to use, as provider/model.", modelReference),
    project: allowed,
    counts: "at once",
  },
  models: {
    check: object({
      fast: said("Model for quick tasks; also used for the names haiku and small.", modelReference),
      default: said("Model for everyday tasks; also used for the names sonnet and medium.", modelReference),
      slow: said("Model for hard tasks; also used for the names opus and large.", modelReference),
    }),
    project: ignored("a project may not choose more expensive models"),
    counts: "at start",
  },
  fallbackModel: {
    check: said("Used for the rest of a run when the model is unavailable.", modelReference),
    project: allowed,
    counts: "at start",
  },
  thinking: {
    check: object({
      effort: said("Reasoning effort; default: the model's own.", oneOf(efforts)),
      maxTokens: said("Maximum reasoning tokens, where the provider accepts a number.", wholeNumberOrNone),
    }),
    project: ignored("a project may not decide how much a model reasons and costs"),
    counts: "at start",
  },
  provider: {
    check: said("Your own servers, and overrides for known providers, by id.", record(provider)),
    project: ignored("a project may not choose where requests and keys go"),
    counts: "at start",
  },
  catalogue: {
    check: object({
      url: said("URL of an alternative model list in models.dev format.", webAddress),
      refresh: said("Fetch newer model lists.", flag, true),
    }),
    project: ignored("a project may not choose where requests go"),
    counts: "at start",
  },
};
