/** The file of stored keys: readable by its owner only, replaced as a whole, never half-written. */
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { type Failure, FailureError, isJsonObject, reasonOf } from "@kedge/protocol";
import { whileLocked } from "../machine/file-lock.ts";
import { replaceFile } from "../machine/replace-file.ts";

/** Where the key itself is: here, or in the keyring of the system under the provider's name. */
export type StoredKey = ({ readonly storage: "file"; readonly key: string } | { readonly storage: "keyring" }) & {
  /** The method of a sign-in; what is kept as `key` is then its record, and nothing that a vendor takes as a key. */
  readonly account?: string;
};

export type StoredKeys = { readonly [provider: string]: StoredKey };

const format = 1;
const ownerOnly = 0o600;

/** No keys when there is no file. Throws a failure when there is one that cannot be used. */
export function readCredentialFile(path: string): StoredKeys {
  if (!existsSync(path)) return {};
  try {
    // Whoever widened the permissions did not mean it: the file holds nothing but secrets.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, ownerOnly);
    return parse(readFileSync(path, "utf8"), path);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    throw new FailureError(unusable(path, reasonOf(error)), error);
  }
}

/** Given the keys as they are now, which no other process changes meanwhile. Returns those that are stored then. */
export function changeCredentialFile(path: string, change: (keys: StoredKeys) => StoredKeys): StoredKeys {
  try {
    return whileLocked(path, () => {
      const current = readCredentialFile(path);
      const keys = change(current);
      if (keys !== current) replaceFile(path, `${JSON.stringify({ format, keys }, undefined, 2)}\n`);
      return keys;
    });
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error && "code" in error)) throw error;
    throw new FailureError(unusable(path, reasonOf(error)), error);
  }
}

function parse(text: string, path: string): StoredKeys {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new FailureError(unusable(path, "it is not valid JSON"), error);
  }
  if (!isJsonObject(value) || value["format"] !== format || !isJsonObject(value["keys"])) {
    throw new FailureError(unusable(path, "it has an unsupported version"));
  }
  const keys: Record<string, StoredKey> = {};
  for (const [provider, stored] of Object.entries(value["keys"])) {
    if (!isJsonObject(stored)) continue;
    const { account: method, key } = stored;
    const account = typeof method === "string" ? { account: method } : {};
    if (stored["storage"] === "keyring") keys[provider] = { storage: "keyring", ...account };
    else if (typeof key === "string") keys[provider] = { storage: "file", key, ...account };
  }
  return keys;
}

function unusable(path: string, why: string): Failure {
  return {
    code: "configuration",
    message: `Cannot use the key file ${path}: ${why}.`,
    recovery: "Fix it, or delete it and save the keys again with kedge auth login.",
    retryable: false,
  };
}
