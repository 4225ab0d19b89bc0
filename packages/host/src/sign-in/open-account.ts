/** The account of one provider, as its requests see it: renewed ahead of its end, once for all processes that share it. */
import { join } from "node:path";
import type { Account, AccountCredential, CurrentCredential } from "@kedge/models";
import { type Failure, FailureError } from "@kedge/protocol";
import {
  type AccountRecord,
  readAccountRecord,
  secretsOfAccount,
  writeAccountRecord,
} from "../credentials/account-record.ts";
import type { FoundAccount } from "../credentials/credentials.ts";
import { whileHeld } from "../machine/file-lock.ts";
import type { SignInMethod, SignInParts } from "./sign-in-method.ts";
import { signInMethods, whyForbidden } from "./sign-in-methods.ts";
import { isSignInAllowed, type SignInSettings } from "./sign-in-settings.ts";

export type AccountParts = SignInParts & {
  readonly provider: string;
  readonly settings: SignInSettings;
  /** kedge's own directory. */
  readonly home: string;
  /** What is stored at this moment, read again each time. */
  readonly read: () => FoundAccount | undefined;
  readonly store: (account: FoundAccount) => void;
  /** Told of every token, so that it can be taken out of texts. */
  readonly onKey: (key: string) => void;
  /** The user's own address for the provider is stronger than the one the vendor names. */
  readonly keepsAddress: boolean;
};

type Opened = {
  readonly text: string;
  readonly method: SignInMethod;
  readonly record: AccountRecord;
  readonly credential: AccountCredential;
};

type Found = { readonly ok: true; readonly opened: Opened } | { readonly ok: false; readonly failure: Failure };

export function openAccount(parts: AccountParts): Account {
  const { provider, now } = parts;
  let opened: Opened | undefined;
  /** Those who ask meanwhile wait for the same answer. */
  let renewing: Promise<Found> | undefined;

  /** What is stored; the same object as long as it is the same text. */
  function look(): Found {
    if (!isSignInAllowed(parts.settings, provider)) return failed(whyForbidden(provider), "Use an API key instead.");
    const stored = parts.read();
    if (stored === undefined) return failed(`Not signed in to ${provider}.`, logIn(provider));
    if (opened !== undefined && opened.text === stored.record) return { ok: true, opened };
    const record = readAccountRecord(stored.record);
    const method = signInMethods(provider, parts.settings, parts).find(({ id }) => id === stored.method);
    if (record === undefined || method === undefined)
      return failed(`The saved sign-in to ${provider} is invalid.`, logIn(provider));
    for (const secret of secretsOfAccount(stored.record)) parts.onKey(secret);
    opened = { text: stored.record, method, record, credential: credentialOf(parts, method, record) };
    return { ok: true, opened };
  }

  /** `rejected` is what the vendor takes no longer, or what is about to end. */
  function renewOnce(rejected: Opened): Promise<Found> {
    renewing ??= whileHeld(join(parts.home, `sign-in-${encodeURIComponent(provider)}`), () => renewStored(rejected))
      .catch((error: unknown): Found => {
        if (error instanceof FailureError) return { ok: false, failure: error.failure };
        throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  async function renewStored(rejected: Opened): Promise<Found> {
    const found = look();
    // Another process was first; vendors that hand out each refresh token once would revoke everything.
    if (!found.ok || found.opened.text !== rejected.text) return found;
    const { method, record } = found.opened;
    const renewed = await method.renew(record, parts, never);
    switch (renewed.kind) {
      case "renewed":
        opened = undefined;
        parts.store({ method: method.id, record: writeAccountRecord(renewed.record) });
        return look();
      case "revoked":
        return failed(`The sign-in to ${provider} has expired or was revoked.`, logIn(provider), "token_revoked");
      case "failed":
        return { ok: false, failure: renewed.failure };
    }
  }

  return {
    async current(): Promise<CurrentCredential> {
      const found = opened !== undefined && isFresh(opened.record, now()) ? { ok: true as const, opened } : look();
      if (!found.ok) return found;
      if (isFresh(found.opened.record, now())) return { ok: true, credential: found.opened.credential };
      const renewed = await renewOnce(found.opened);
      if (renewed.ok) return { ok: true, credential: renewed.opened.credential };
      // What is not over yet is still taken; the next request tries again.
      const { endsAtMs = 0 } = found.opened.record;
      const isUsable = renewed.failure.code !== "token_revoked" && now() < endsAtMs;
      return isUsable ? { ok: true, credential: found.opened.credential } : renewed;
    },
    async renew() {
      const rejected = opened;
      if (rejected === undefined) return false;
      return (await renewOnce(rejected)).ok;
    },
  };
}

/** A renewal is finished although its run was stopped: its result may be the only copy of a refresh token. */
const never = new AbortController().signal;

function isFresh({ renewAtMs }: AccountRecord, nowMs: number): boolean {
  return renewAtMs === undefined || nowMs < renewAtMs;
}

function credentialOf(parts: AccountParts, method: SignInMethod, record: AccountRecord): AccountCredential {
  const { baseURL, ...credential } = method.credential(record, parts);
  return parts.keepsAddress || baseURL === undefined ? credential : { ...credential, baseURL };
}

function logIn(provider: string): string {
  return `Run \`kedge auth login ${provider}\`, or /login in the terminal UI.`;
}

function failed(
  message: string,
  recovery: string,
  code: Failure["code"] = "auth_error",
): Extract<Found, { ok: false }> {
  return { ok: false, failure: { code, message, recovery, retryable: false } };
}
