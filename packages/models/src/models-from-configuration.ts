/** The models a user has configured: finds one by `provider/model` and makes its provider on first use. */
import {
  type Failure,
  type FoundModel,
  type Model,
  type Models,
  nearNames,
  type Prices,
  type Provider,
} from "@kedge/protocol";
import { createAnthropicProvider } from "./anthropic/anthropic.ts";
import { createOpenAiChatProvider } from "./chat/openai-chat.ts";
import { costOf } from "./cost.ts";
import { createGoogleProvider } from "./google/google.ts";
import { createOpenAiResponsesProvider } from "./responses/openai-responses.ts";
import type { WireProviderOptions } from "./wire/wire-provider.ts";

export type ModelSetting = {
  /** Tokens the model can see. */
  readonly context?: number;
  /** Tokens it can answer with. */
  readonly output?: number;
  /** US dollars per million tokens. */
  readonly cost?: Prices;
};

export type ProviderSetting = {
  /** The wire the vendor speaks. */
  readonly api: string;
  readonly baseURL: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Without this list any model id is accepted. */
  readonly models?: { readonly [id: string]: ModelSetting };
};

/** The member `provider` of the configuration, already validated. */
export type ProviderSettings = { readonly [provider: string]: ProviderSetting };

export type ModelsOptions = { readonly overallTimeoutMs?: number; readonly idleTimeoutMs?: number };

/** Safe for a model of which nothing is known. */
const contextTokensAssumed = 32_000;
const outputTokensAssumed = 4_096;

/** How many names a message lists before it becomes a wall of text. */
const namesShownMax = 8;
const suggestionsMax = 3;

type MakeProvider = (options: WireProviderOptions) => Provider;

/** The wires this version speaks; a new one is a row here. */
const wires: ReadonlyMap<string, MakeProvider> = new Map([
  ["openai-chat", createOpenAiChatProvider],
  ["openai-responses", createOpenAiResponsesProvider],
  ["anthropic", createAnthropicProvider],
  ["google", createGoogleProvider],
]);

function wireOptions({ baseURL, apiKey, headers }: ProviderSetting, options: ModelsOptions): WireProviderOptions {
  return {
    baseUrl: baseURL,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers }),
    ...options,
  };
}

export function createModels(settings: ProviderSettings, options: ModelsOptions = {}): Models {
  const providers = new Map<string, Provider>();
  return {
    async find(ref): Promise<FoundModel> {
      const slash = ref.indexOf("/");
      if (slash <= 0 || slash === ref.length - 1) return { ok: false, failure: notAReference(ref) };
      const name = ref.slice(0, slash);
      const id = ref.slice(slash + 1);
      const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
      if (setting === undefined) return { ok: false, failure: unknownProvider(name, Object.keys(settings)) };
      const makeProvider = wires.get(setting.api);
      if (makeProvider === undefined) return { ok: false, failure: unknownWire(name, setting.api) };
      if (!isHttpUrl(setting.baseURL)) return { ok: false, failure: badBaseUrl(name) };
      const listed = setting.models !== undefined && Object.hasOwn(setting.models, id) ? setting.models[id] : undefined;
      if (setting.models !== undefined && listed === undefined)
        return { ok: false, failure: unknownModel(name, id, Object.keys(setting.models)) };
      const provider = providers.get(name) ?? makeProvider(wireOptions(setting, options));
      providers.set(name, provider);
      return { ok: true, model: describeModel({ ref, provider: name, id }, listed ?? {}), provider };
    },
    cost: costOf,
  };
}

function describeModel(named: Pick<Model, "ref" | "provider" | "id">, setting: ModelSetting): Model {
  const assumed = setting.context === undefined || setting.output === undefined;
  return {
    ...named,
    contextTokens: setting.context ?? contextTokensAssumed,
    outputTokensMax: setting.output ?? outputTokensAssumed,
    ...(setting.cost === undefined ? {} : { prices: setting.cost }),
    ...(assumed ? { assumed: true } : {}),
  };
}

function isHttpUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === "http:" || protocol === "https:";
}

function notAReference(ref: string): Failure {
  return {
    code: ref === "" ? "no_model" : "invalid_model",
    message: ref === "" ? "No model is chosen." : `"${ref}" does not name a model.`,
    recovery: "Write the model as provider/model.",
    retryable: false,
  };
}

function unknownProvider(name: string, known: readonly string[]): Failure {
  const none = known.length === 0;
  return {
    code: none ? "no_model" : "invalid_model",
    message: `There is no provider "${name}"; ${none ? "none is configured" : `configured: ${listNames(known)}`}.`,
    recovery: 'Add it under "provider" in the configuration, or choose another model.',
    retryable: false,
  };
}

function unknownModel(provider: string, id: string, known: readonly string[]): Failure {
  const near = nearNames(id, known, { countMax: suggestionsMax });
  const names = (near.length > 0 ? near : known).map((name) => `${provider}/${name}`);
  const hint = near.length > 0 ? `Did you mean ${listNames(names)}?` : `Configured: ${listNames(names)}.`;
  return {
    code: "invalid_model",
    message: `The provider "${provider}" has no model "${id}".`,
    recovery: names.length === 0 ? `Add it under "models" of the provider "${provider}".` : hint,
    retryable: false,
  };
}

function unknownWire(provider: string, api: string): Failure {
  return {
    code: "configuration",
    message: `The provider "${provider}" has api "${api}", which this version does not speak.`,
    recovery: `Set "api" to ${listNames([...wires.keys()])}.`,
    retryable: false,
  };
}

function badBaseUrl(provider: string): Failure {
  return {
    code: "configuration",
    message: `The "baseURL" of the provider "${provider}" is not an http or https URL.`,
    recovery: "Write it as in https://host/v1.",
    retryable: false,
  };
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).join(", ");
  return names.length > namesShownMax ? `${shown} and ${names.length - namesShownMax} more` : shown;
}
