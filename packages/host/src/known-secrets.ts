/** The values that are secrets wherever they stand: keys kedge uses or keeps, and what variables of this process hold. */
import { join } from "node:path";
import { FailureError } from "@kedge/protocol";
import { isSecretName } from "@kedge/sandbox";
import type { AssembleOptions } from "./assembly/assemble-options.ts";
import { secretsOfAccount } from "./credentials/account-record.ts";
import { readCredentialFile } from "./credentials/credential-file.ts";

/** What is written where a local server wants any key at all; to take such a word out of texts would only harm them. */
const emptyWords: ReadonlySet<string> = new Set([
  "anything",
  "changeme",
  "dummy-key",
  "lm-studio",
  "lmstudio",
  "localhost",
  "no-key",
  "no-key-required",
  "not-needed",
  "ollama",
  "placeholder",
  "required",
  "unused",
]);

type Parts = Pick<AssembleOptions, "configuration" | "environment">;

/** Keys from the configuration and values of variables that are known to hold secrets. */
export function configuredSecrets({ configuration: { providers, network }, environment }: Parts): readonly string[] {
  const keys = Object.values(providers).map(({ apiKey }) => apiKey);
  const variables = Object.keys(environment)
    .filter(isSecretName)
    .map((name) => environment[name])
    .filter((value) => value === undefined || !isPlace(value));
  return [...keys, network.clientKeyPassphrase, ...variables]
    .filter((value) => value !== undefined)
    .filter((value) => !emptyWords.has(value));
}

/** Some variables say where the secret is instead. */
function isPlace(value: string): boolean {
  return /^(?:[~.]?\/|https?:\/\/[^@]*$)/.test(value);
}

/** Those of all providers and MCP servers, also the ones that this session never asks for. */
export function storedSecrets(home: string): readonly string[] {
  return [...keysIn(join(home, "credentials.json")), ...keysIn(join(home, "mcp-credentials.json")).flatMap(textsIn)];
}

function keysIn(path: string): readonly string[] {
  try {
    const keys = Object.values(readCredentialFile(path));
    return keys.flatMap((stored) => {
      if (stored.storage !== "file") return [];
      return stored.account === undefined ? [stored.key] : secretsOfAccount(stored.key);
    });
  } catch (error) {
    // Whoever needs a key from it is told; here it only means that there is none to look for.
    if (error instanceof FailureError) return [];
    throw error;
  }
}

const signInSecrets: ReadonlySet<string> = new Set(["accessToken", "refreshToken", "secret"]);

/** A sign-in is several secrets in one text. */
function textsIn(signedIn: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(signedIn, (name, value: unknown) => {
      if (signInSecrets.has(name) && typeof value === "string") found.push(value);
      return value;
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}
