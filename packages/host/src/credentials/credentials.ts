/** Keys for providers: which one counts, where it comes from, and how the user stores and removes it. */
import { join } from "node:path";
import { changeCredentialFile, readCredentialFile, type StoredKeys } from "./credential-file.ts";
import { createKeyring, type Keyring, noKeyring } from "./keyring.ts";

export type KeySource = "environment" | "file" | "keyring";

export type FoundKey = {
  readonly key: string;
  readonly source: KeySource;
  /** The variable's name, when it is one. */
  readonly variable?: string;
};

/** Of a sign-in: with which method, and what it keeps. */
export type FoundAccount = { readonly method: string; readonly record: string };

export type ListedCredential = {
  readonly provider: string;
  readonly storage: "file" | "keyring";
  /** The method of a sign-in; absent for keys. */
  readonly account?: string;
};

export interface Credentials {
  /** A variable wins over a stored key: it was set for this one start. `variables` are tried in order. */
  find(provider: string, variables: readonly string[]): FoundKey | undefined;
  /** The sign-in that is stored in place of a key. */
  account(provider: string): FoundAccount | undefined;
  /** Tells where the key is kept now. */
  store(provider: string, key: string): "file" | "keyring";
  /** The same for a sign-in; each takes the place of the other. */
  storeAccount(provider: string, account: FoundAccount): "file" | "keyring";
  /** False when there was none. */
  remove(provider: string): boolean;
  list(): readonly ListedCredential[];
  /** The variable whose key is used although another one is stored for the provider: it changes who pays. */
  overriding(provider: string, variables: readonly string[]): string | undefined;
}

export type CredentialsOptions = {
  readonly path: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly keyring: Keyring;
};

/** `off` leaves the keyring of the system alone: where it is locked, or belongs to somebody else. */
const keyringVariable = "KEDGE_KEYRING";

/** The keys of this user on this machine. */
export function openCredentials(home: string, environment: CredentialsOptions["environment"]): Credentials {
  const keyring = environment[keyringVariable] === "off" ? noKeyring : createKeyring();
  return createCredentials({ path: join(home, "credentials.json"), environment, keyring });
}

export function createCredentials({ path, environment, keyring }: CredentialsOptions): Credentials {
  /** Read once: a start asks for one or two providers, and whoever stores a key does so in a process of its own. */
  let read: StoredKeys | undefined;
  const stored = (): StoredKeys => {
    read ??= readCredentialFile(path);
    return read;
  };
  const entryOf = (provider: string) => (Object.hasOwn(stored(), provider) ? stored()[provider] : undefined);
  const keep = (provider: string, key: string, account: { readonly account?: string }) => {
    const storage = keyring.set(provider, key) ? "keyring" : "file";
    // What another process stored meanwhile is kept.
    read = changeCredentialFile(path, (current) => ({
      ...current,
      [provider]: storage === "keyring" ? { storage, ...account } : { storage, key, ...account },
    }));
    return storage;
  };
  const storedKey = (provider: string): FoundKey | undefined => {
    const entry = entryOf(provider);
    if (entry === undefined || entry.account !== undefined) return undefined;
    if (entry.storage === "file") return { key: entry.key, source: "file" };
    const key = keyring.get(provider);
    return key === undefined ? undefined : { key, source: "keyring" };
  };
  const variableKey = (variables: readonly string[]): FoundKey | undefined => {
    for (const variable of variables) {
      const key = environment[variable];
      if (key !== undefined && key !== "") return { key, source: "environment", variable };
    }
    return undefined;
  };
  return {
    find: (provider, variables) => variableKey(variables) ?? storedKey(provider),
    account(provider) {
      const entry = entryOf(provider);
      if (entry?.account === undefined) return undefined;
      const record = entry.storage === "file" ? entry.key : keyring.get(provider);
      return record === undefined ? undefined : { method: entry.account, record };
    },
    store: (provider, key) => keep(provider, key, {}),
    storeAccount: (provider, { method, record }) => keep(provider, record, { account: method }),
    remove(provider) {
      if (!Object.hasOwn(readCredentialFile(path), provider)) return false;
      read = changeCredentialFile(path, ({ [provider]: removed, ...kept }) => {
        if (removed?.storage === "keyring") keyring.remove(provider);
        return kept;
      });
      return true;
    },
    list: () =>
      Object.entries(stored()).map(([provider, { storage, account }]) => ({
        provider,
        storage,
        ...(account !== undefined && { account }),
      })),
    overriding(provider, variables) {
      const used = variableKey(variables);
      if (used?.variable === undefined || !Object.hasOwn(stored(), provider)) return undefined;
      return storedKey(provider)?.key === used.key ? undefined : used.variable;
    },
  };
}
