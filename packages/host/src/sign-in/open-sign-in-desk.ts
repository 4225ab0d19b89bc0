/** The sign-ins of this user on this machine. */
import { randomUUID } from "node:crypto";
import { type Network, waitMs } from "@kedge/models";
import { openCredentials } from "../credentials/credentials.ts";
import { createRandomBytes } from "../machine/random-bytes.ts";
import { createSignInDesk, type SignInDesk } from "./sign-in-desk.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export type OpenSignInDeskParts = {
  readonly settings: () => SignInSettings;
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly kedgeVersion: string;
  readonly network: Network;
  readonly now: () => number;
  readonly onKey: (key: string) => void;
  /** Told of the provider once an account is stored for it. */
  readonly onSignedIn: (provider: string) => void;
};

export function openSignInDesk(parts: OpenSignInDeskParts): SignInDesk {
  return createSignInDesk({
    ...parts,
    wait: waitMs,
    randomBytes: createRandomBytes(),
    userAgent: `kedge/${parts.kedgeVersion}`,
    newId: () => `login_${randomUUID()}`,
    store(provider, account) {
      const storage = openCredentials(parts.home, parts.environment).storeAccount(provider, account);
      parts.onSignedIn(provider);
      return storage;
    },
  });
}
