/** Every setting kedge knows: what it accepts, and what a file of a project may do with it. */
import { presetNames } from "@kedge/engine";
import { apis, quirkNames, reasoningControls } from "@kedge/models";
import { editModes, efforts, isJsonObject, permissionModes, type RuleSource } from "@kedge/protocol";
import { retentionCheck } from "../retention/retention-settings.ts";
import {
  amount,
  type Check,
  object,
  oneOf,
  problem,
  record,
  satisfies,
  text,
  webAddress,
  wholeNumber,
} from "./checks.ts";
import { conversationChecks } from "./conversation-settings.ts";
import { envCheck } from "./env-settings.ts";
import { sandboxCheck } from "./sandbox-settings.ts";
import { editingChecks, toolSettingChecks } from "./tool-settings.ts";

export type KnownSetting = {
  readonly check: Check;
  /**
   * A checked-in file is writable by strangers. Returns the part of the value that it may set, given what is set so
   * far, and why the rest is ignored.
   */
  readonly fromProject: (value: unknown, soFar: unknown) => { readonly kept: unknown; readonly ignored?: string };
  /** The only files that may set it; every one of the user's without this. */
  readonly sources?: readonly RuleSource[];
};

/** Bypass is chosen for one start, on the command line, and never left behind in a file. */
const modesOfFiles: readonly string[] = permissionModes.filter((mode) => mode !== "bypass");

const freely: KnownSetting["fromProject"] = (value) => ({ kept: value });

const modelReference = satisfies(
  "a text of the form provider/model",
  (value) => typeof value === "string" && /^[^/]+\/.+$/.test(value),
);

const wholeNumberOrNone = satisfies(
  "a whole number, 0 for none",
  (value) => Number.isInteger(value) && Number(value) >= 0,
);

const texts = satisfies(
  "a list of texts",
  (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
);

const flag = satisfies("true or false", (value) => typeof value === "boolean");

/** With or without a scope, and a part of the package behind it. */
const packageName = satisfies(
  "the name of a package",
  (value) => typeof value === "string" && /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/[\w.-]+)?$/.test(value),
);

const provider = record(
  object({
    api: oneOf(apis),
    baseURL: webAddress,
    apiKey: text,
    headers: record(text),
    npm: packageName,
    options: satisfies("an object", isJsonObject),
    quirks: satisfies(
      `a list of ${quirkNames.join(", ")}`,
      (value) => Array.isArray(value) && value.every((each) => quirkNames.includes(each)),
    ),
    cacheTtl: oneOf(["5m", "1h", "off"]),
    models: record(
      object({
        name: text,
        context: wholeNumber,
        output: wholeNumber,
        cost: object({ input: amount, output: amount, cacheRead: amount, cacheWrite: amount, reasoning: amount }),
        reasoning: oneOf(reasoningControls),
        images: flag,
        documents: flag,
        temperature: amount,
      }),
    ),
  }),
);

/** The whole of it: half a backend would fail with the first search. */
const searchBackend: Check = (value, path) => {
  const wrong = object({ kind: oneOf(["searxng", "brave"]), url: webAddress, apiKey: text })(value, path);
  if (wrong.length > 0 || !isJsonObject(value)) return wrong;
  const missing = ["kind", "url"].find((name) => value[name] === undefined || value[name] === null);
  return missing === undefined ? [] : [problem(`${path}.${missing}`, "given with the other", undefined)];
};

const limits = object({ maxTurns: wholeNumber, maxBudgetUsd: amount, maxTokens: wholeNumber, maxSteps: wholeNumber });

/** Rules are parsed by the engine; here only the outer form is checked. */
const rules = satisfies(
  "an object, an action or a list",
  (value) => typeof value === "object" || typeof value === "string",
);

export const knownSettings: { readonly [name: string]: KnownSetting } = {
  $schema: { check: text, fromProject: freely },
  model: { check: modelReference, fromProject: freely },
  provider: {
    check: provider,
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose where requests and keys go" }),
  },
  fallbackModel: { check: modelReference, fromProject: freely },
  thinking: {
    check: object({ effort: oneOf(efforts), maxTokens: wholeNumberOrNone }),
    fromProject: () => ({ kept: undefined, ignored: "a project may not decide how much a model thinks and costs" }),
  },
  edit: {
    check: object({
      mode: oneOf(editModes),
      modes: record(oneOf(editModes)),
      ...editingChecks,
    }),
    fromProject: () => ({ kept: undefined, ignored: "which way of editing suits a model is the user's choice" }),
  },
  read: { check: toolSettingChecks.read, fromProject: freely },
  checkpoint: { check: toolSettingChecks.checkpoint, fromProject: freely },
  bash: {
    check: toolSettingChecks.bash,
    fromProject: () => ({ kept: undefined, ignored: "how commands run is the user's choice" }),
  },
  sandbox: {
    check: sandboxCheck,
    fromProject: () => ({ kept: undefined, ignored: "a project may not say what its commands can reach" }),
  },
  jobs: { check: toolSettingChecks.jobs, fromProject: freely },
  codeIndex: { check: toolSettingChecks.codeIndex, fromProject: freely },
  interruptMode: { check: oneOf(["immediate", "boundary"]), fromProject: freely },
  auto: {
    check: object({ model: modelReference, allow: texts, softDeny: texts, environment: texts }),
    fromProject: () => ({ kept: undefined, ignored: "a project may not say what runs unasked" }),
  },
  pressure: {
    check: object({ enabled: flag, elevated: amount, high: amount }),
    fromProject: () => ({ kept: undefined, ignored: "a project may not say how closely its work is watched" }),
  },
  compaction: {
    check: conversationChecks.compaction,
    fromProject: () => ({
      kept: undefined,
      ignored: "what a model keeps in view, and who sums it up, is the user's choice",
    }),
  },
  contextPromotion: {
    check: conversationChecks.contextPromotion,
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose models that cost more" }),
  },
  titles: {
    check: conversationChecks.titles,
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose models that cost more" }),
  },
  branchSummary: {
    check: conversationChecks.branchSummary,
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose models that cost more" }),
  },
  unexpectedStop: {
    check: conversationChecks.unexpectedStop,
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose models that cost more" }),
  },
  web: {
    check: object({ search: searchBackend }),
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose where requests and keys go" }),
  },
  network: {
    check: object({ proxy: webAddress, caFile: text }),
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose where requests and keys go" }),
  },
  catalogue: {
    check: object({ url: webAddress, refresh: flag }),
    fromProject: () => ({ kept: undefined, ignored: "a project may not choose where requests go" }),
  },
  permission: { check: rules, fromProject: freely },
  permissions: { check: rules, fromProject: freely },
  permission_presets: {
    check: satisfies(
      `a list of ${presetNames.join(", ")}`,
      (value) => Array.isArray(value) && value.every((each) => presetNames.includes(each)),
    ),
    fromProject: freely,
  },
  permissionMode: { check: oneOf(modesOfFiles), fromProject: strictestMode },
  continueOnReject: {
    check: flag,
    fromProject: () => ({ kept: undefined, ignored: "what a no of the user means is the user's choice" }),
  },
  env: {
    check: envCheck,
    fromProject: () => ({ kept: undefined, ignored: "a project may not say which secrets its commands see" }),
    sources: ["user", "policy"],
  },
  retention: {
    check: retentionCheck,
    fromProject: () => ({ kept: undefined, ignored: "a project may not delete your sessions" }),
    sources: ["user", "policy"],
  },
  limits: { check: limits, fromProject: lowerLimits },
};

/** Planning is the only mode that is stricter than every other. */
function strictestMode(value: unknown): { kept: unknown; ignored?: string } {
  if (value === "plan") return { kept: value };
  return { kept: undefined, ignored: "a project may only choose the mode plan" };
}

function lowerLimits(value: unknown, soFar: unknown): { kept: unknown; ignored?: string } {
  if (!isJsonObject(value)) return { kept: undefined };
  const before = isJsonObject(soFar) ? soFar : {};
  const kept: Record<string, unknown> = {};
  const raised: string[] = [];
  for (const [name, limit] of Object.entries(value)) {
    const current = before[name];
    if (typeof limit === "number" && (typeof current !== "number" || limit <= current)) kept[name] = limit;
    else raised.push(name);
  }
  return raised.length === 0
    ? { kept }
    : { kept, ignored: `a project may only lower limits, and raises ${raised.join(", ")}` };
}
