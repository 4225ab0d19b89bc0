/** The variables that stand for a setting: stronger than every file but those of a managed policy. */
import type { Json } from "@kedge/protocol";
import { betasVariable, isSet, readMode, toolSearchVariables } from "./tool-search-settings.ts";

type Environment = { readonly [name: string]: string | undefined };

export type VariableSetting = {
  readonly variable: string;
  /** The path of the setting. */
  readonly key: string;
  /** Undefined when the text says nothing that counts. */
  readonly read: (text: string) => Json | undefined;
};

export const thinkingTokensVariable: VariableSetting = {
  variable: "KEDGE_MAX_THINKING_TOKENS",
  key: "thinking.maxTokens",
  read: (text) => (Number.isInteger(Number(text)) && Number(text) >= 0 ? Number(text) : undefined),
};

export const databaseUrlVariable: VariableSetting = {
  variable: "KEDGE_DATABASE_URL",
  key: "storage.url",
  read: (text) => text,
};

/** By the name within `network`. */
export const clientVariables = {
  clientCert: plainVariable("KEDGE_CLIENT_CERT", "network.clientCert"),
  clientKey: plainVariable("KEDGE_CLIENT_KEY", "network.clientKey"),
  clientKeyPassphrase: plainVariable("KEDGE_CLIENT_KEY_PASSPHRASE", "network.clientKeyPassphrase"),
};

function plainVariable(variable: string, key: string): VariableSetting {
  return { variable, key, read: (text) => text };
}

export const variableSettings: readonly VariableSetting[] = [
  thinkingTokensVariable,
  databaseUrlVariable,
  ...Object.values(clientVariables),
  { variable: "KEDGE_CATALOGUE_URL", key: "catalogue.url", read: (text) => text },
  {
    variable: "KEDGE_AUTOCOMPACT_PCT",
    key: "compaction.thresholdPercent",
    read: (text) => (Number(text) > 0 && Number(text) <= 100 ? Number(text) : undefined),
  },
  ...toolSearchVariables.map((variable) => ({ variable, key: "toolSearch.mode", read: modeName })),
  { variable: betasVariable, key: "toolSearch.mode", read: (text) => (isSet(text) ? "off" : undefined) },
];

function modeName(text: string): Json | undefined {
  const mode = readMode(text);
  return typeof mode === "object" ? "auto" : mode;
}

/** Undefined when the variable is not set, empty, or says nothing that counts. */
export function readVariable({ variable, read }: VariableSetting, environment: Environment): Json | undefined {
  const text = environment[variable];
  return text === undefined || text.trim() === "" ? undefined : read(text);
}
