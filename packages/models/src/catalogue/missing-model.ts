/** The sentences for a model that cannot be used: what is wrong with its name, its vendor, its settings or its key. */
import { type Failure, nearNames } from "@kedge/protocol";
import { apis } from "./catalogue-row.ts";

/** How many names a message lists before it becomes a wall of text. */
const namesShownMax = 8;
const suggestionsMax = 3;

export function notAReference(ref: string): Failure {
  const message = ref === "" ? "No model selected." : `"${ref}" is not a model.`;
  return {
    code: ref === "" ? "no_model" : "invalid_model",
    message,
    recovery: "Use the form provider/model.",
    retryable: false,
  };
}

export function unknownProvider(
  name: string,
  { configured, shipped }: { readonly configured: readonly string[]; readonly shipped: readonly string[] },
): Failure {
  const none = configured.length === 0;
  const near = nearNames(name, [...configured, ...shipped], { countMax: 1 })[0];
  return {
    code: none ? "no_model" : "invalid_model",
    message: `Unknown provider "${name}"; ${none ? "none configured" : `configured: ${listNames(configured)}`}.`,
    recovery:
      near === undefined
        ? 'Add it under "provider" in your settings, or choose another model.'
        : `Did you mean ${near}? Otherwise add it under "provider" in your settings.`,
    retryable: false,
  };
}

export function unknownModel(provider: string, id: string, known: readonly string[]): Failure {
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

export function unknownWire(provider: string, api: string | undefined): Failure {
  const has = api === undefined ? 'no "api"' : `api "${api}", which this version does not support`;
  return misconfigured(`The provider "${provider}" has ${has}.`, `Set "api" to ${listNames(apis)}.`);
}

export function badBaseUrl(provider: string): Failure {
  return misconfigured(
    `"baseURL" of the provider "${provider}" is not an http or https URL.`,
    "Use the form https://host/v1.",
  );
}

export function missingVariable(provider: string, variable: string): Failure {
  return misconfigured(
    `The URL of the provider "${provider}" needs ${variable}, which is not set or not valid.`,
    `Set ${variable}, or "baseURL" of the provider "${provider}" in your settings.`,
  );
}

export function missingPackage(provider: string, proposed: string | undefined): Failure {
  const example = proposed ?? "@ai-sdk/…";
  return misconfigured(
    `The provider "${provider}" needs an AI SDK package, and none is set.`,
    `Install one and set "npm": "${example}" for the provider "${provider}" in your settings.`,
  );
}

export function missingKey(provider: string, variables: readonly string[]): Failure {
  const set = variables.length === 0 ? 'Set "apiKey" in your settings' : `Set ${variables.join(" or ")}`;
  return {
    code: "invalid_api_key",
    message: `No API key for the provider "${provider}".`,
    recovery: `${set}, or run \`kedge auth login ${provider}\`.`,
    retryable: false,
  };
}

function misconfigured(message: string, recovery: string): Failure {
  return { code: "configuration", message, recovery, retryable: false };
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).join(", ");
  return names.length > namesShownMax ? `${shown} and ${names.length - namesShownMax} more` : shown;
}
