/** The keyring of the operating system, where there is one. */
import { createRequire } from "node:module";

export interface Keyring {
  /** Undefined when it holds no such key, or cannot be asked. */
  get(provider: string): string | undefined;
  /** False when it cannot keep the key, so that another place must. */
  set(provider: string, key: string): boolean;
  remove(provider: string): void;
}

/** For machines and users without one. */
export const noKeyring: Keyring = { get: () => undefined, set: () => false, remove: () => undefined };

/** The part of the package that is used. */
type Entry = { getPassword(): string | null; setPassword(password: string): void; deletePassword(): boolean };
type KeyringPackage = { readonly Entry: new (service: string, account: string, options: object) => Entry };

const service = "kedge";

/** On Linux the kernel's key store would forget everything at the next start of the machine. */
const options = { linux: { store: "secret-service" } };

/** Loaded on first use: most starts need no stored key, and the package is native code. */
export function createKeyring(): Keyring {
  let loaded: KeyringPackage | undefined;
  const entryOf = (provider: string): Entry => {
    // The package is optional and its types are none of ours; the three functions are checked by use.
    loaded ??= createRequire(import.meta.url)("@napi-rs/keyring") as KeyringPackage;
    return new loaded.Entry(service, provider, options);
  };
  /** The package throws for everything: no daemon, a locked keyring, a missing binary. None of it is a defect here. */
  const attempt = <Value>(use: () => Value): Value | undefined => {
    try {
      return use();
    } catch (error) {
      if (error instanceof Error) return undefined;
      throw error;
    }
  };
  return {
    get: (provider) => attempt(() => entryOf(provider).getPassword()) ?? undefined,
    set: (provider, key) =>
      attempt(() => {
        const entry = entryOf(provider);
        entry.setPassword(key);
        return entry.getPassword() === key;
      }) === true,
    remove: (provider) => void attempt(() => entryOf(provider).deletePassword()),
  };
}
