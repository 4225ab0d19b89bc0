/** The settings about models: which one works, how much it thinks, and the vendors and servers that have it. */
import { apis, quirkNames, reasoningControls } from "@kedge/models";
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
  name: said("What a person calls it.", text),
  context: said("Tokens it can see.", wholeNumber),
  output: said("Tokens it can answer with.", wholeNumber),
  cost: said("US dollars per million tokens.", cost),
  reasoning: said("How it is told to think.", oneOf(reasoningControls)),
  images: said("Whether it takes pictures.", flag),
  documents: said("Whether it takes PDFs.", flag),
  temperature: said("Sent with requests that ask for no thinking.", amount),
});

const provider = object({
  api: said("The wire it speaks.", oneOf(apis)),
  baseURL: said("The address, up to and including the version.", webAddress),
  apiKey: said("Stronger than variables and stored keys.", secretText),
  headers: said("Sent with every request.", record(secretText)),
  npm: said("The package that speaks for the vendor.", packageName),
  options: said(
    "What that package is told beside key, address and headers.",
    satisfies("an object", { type: "object", writeOnly: true }, isJsonObject),
  ),
  quirks: said("What this server wants otherwise than its wire.", someOf(quirkNames)),
  cacheTtl: said("How long prompts are kept in the vendor's cache.", oneOf(["5m", "1h", "off"])),
  compaction: said("Whether the vendor may shorten conversations itself.", flag),
  models: said("By id; with it, only these and those of the catalogue are accepted.", record(model)),
});

export const modelSettings: SettingDeclarations = {
  model: {
    check: said("The model that works, as provider/model.", modelReference),
    project: allowed,
    counts: "at once",
  },
  models: {
    check: object({
      fast: said("The model for quick work; also for haiku and small.", modelReference),
      default: said("The model for everyday work; also for sonnet and medium.", modelReference),
      slow: said("The model for hard work; also for opus and large.", modelReference),
    }),
    project: ignored("a project may not choose models that cost more"),
    counts: "at start",
  },
  fallbackModel: {
    check: said("Taken when the model cannot be had, for the rest of the run.", modelReference),
    project: allowed,
    counts: "at start",
  },
  thinking: {
    check: object({
      effort: said("How much a model thinks; left to the model without it.", oneOf(efforts)),
      maxTokens: said("The most tokens to think with, where the vendor takes a number.", wholeNumberOrNone),
    }),
    project: ignored("a project may not decide how much a model thinks and costs"),
    counts: "at start",
  },
  provider: {
    check: said("Servers of your own, and what you want otherwise of a vendor, by id.", record(provider)),
    project: ignored("a project may not choose where requests and keys go"),
    counts: "at start",
  },
  catalogue: {
    check: object({
      url: said("Another list of models in the form of models.dev.", webAddress),
      refresh: said("Whether the console asks for a newer list of models.", flag, true),
    }),
    project: ignored("a project may not choose where requests go"),
    counts: "at start",
  },
};
