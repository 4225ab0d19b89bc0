/** The account of a provider before anything of sign-ins is loaded: most runs use a key. */
import { type Account, type Network, waitMs } from "@kedge/models";
import type { Configuration } from "../configuration/load-configuration.ts";
import { openCredentials } from "../credentials/credentials.ts";

export type LateAccountParts = {
  readonly configuration: Configuration;
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly kedgeVersion: string;
  readonly network: Network;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly onKey: (key: string) => void;
};

export function openLateAccount(provider: string, parts: LateAccountParts): Account {
  let opening: Promise<Account> | undefined;
  const open = () => {
    opening ??= openAccountOf(provider, parts);
    return opening;
  };
  return {
    current: async (signal) => (await open()).current(signal),
    renew: async () => (await open()).renew(),
  };
}

async function openAccountOf(provider: string, parts: LateAccountParts): Promise<Account> {
  const { configuration, home, environment } = parts;
  const { providers, signIn } = configuration;
  const setting = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const credentials = () => openCredentials(home, environment);
  const { openAccount } = await import("./open-account.ts");
  return openAccount({
    ...parts,
    provider,
    settings: signIn,
    wait: waitMs,
    userAgent: `kedge/${parts.kedgeVersion}`,
    read: () => credentials().account(provider),
    store: (account) => credentials().storeAccount(provider, account),
    keepsAddress: setting?.baseURL !== undefined,
  });
}
