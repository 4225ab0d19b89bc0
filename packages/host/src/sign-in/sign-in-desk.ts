/** Sign-ins that are under way: each begun by a client, awaited by it, and ended with it. */
import type { Failure } from "@kedge/protocol";
import { secretsOfAccount, writeAccountRecord } from "../credentials/account-record.ts";
import type { FoundAccount } from "../credentials/credentials.ts";
import type { Begun, MethodId, SignInMethod, SignInOutcome, SignInParts } from "./sign-in-method.ts";
import { signInMethods, whyForbidden } from "./sign-in-methods.ts";
import { isSignInAllowed, type SignInSettings } from "./sign-in-settings.ts";

export type SignInDeskParts = SignInParts & {
  readonly settings: () => SignInSettings;
  readonly store: (provider: string, account: FoundAccount) => "file" | "keyring";
  /** Told of every token, so that it can be taken out of texts. */
  readonly onKey: (key: string) => void;
  readonly newId: () => string;
};

export type BegunSignIn =
  | { readonly ok: false; readonly sentence: string }
  /** `finish` must be asked for; without `url` nobody has to do anything. */
  | {
      readonly ok: true;
      readonly signInId: string;
      readonly url?: string;
      readonly code?: string;
      readonly endsAtMs?: number;
    };

export type FinishedSignIn = { readonly isSignedIn: boolean; readonly sentence: string };

export type SignInDesk = {
  methods(provider: string): readonly SignInMethod[];
  begin(provider: string, method: MethodId): Promise<BegunSignIn>;
  /** Waits for the person. Undefined when there is no such sign-in. */
  finish(signInId: string): Promise<FinishedSignIn> | undefined;
  /** False when there is no such sign-in. */
  cancel(signInId: string): boolean;
  /** Ends all that are under way. */
  close(): void;
};

type Pending = { readonly end: AbortController; readonly outcome: Promise<FinishedSignIn> };

/** Nobody signs in to more at once. */
const pendingMax = 8;

export function createSignInDesk(parts: SignInDeskParts): SignInDesk {
  const pending = new Map<string, Pending>();
  const methodsOf = (provider: string) => signInMethods(provider, parts.settings(), parts);

  function keep(provider: string, method: SignInMethod, outcome: SignInOutcome): FinishedSignIn {
    if (outcome.kind !== "signed-in") return { isSignedIn: false, sentence: sentenceOf(provider, outcome) };
    const record = writeAccountRecord(outcome.record);
    for (const secret of secretsOfAccount(record)) parts.onKey(secret);
    const storage = parts.store(provider, { method: method.id, record });
    const where = storage === "keyring" ? "the keyring of the system" : "a file that only you can read";
    return { isSignedIn: true, sentence: `Signed in to ${provider}. Tokens saved in ${where}.` };
  }

  return {
    methods: methodsOf,
    async begin(provider, id) {
      if (!isSignInAllowed(parts.settings(), provider)) return { ok: false, sentence: whyForbidden(provider) };
      const method = methodsOf(provider).find((each) => each.id === id);
      if (method === undefined) return { ok: false, sentence: `No sign-in ${id} for ${provider}.` };
      if (method.missing !== undefined) return { ok: false, sentence: method.missing };
      if (pending.size >= pendingMax)
        return { ok: false, sentence: "Too many sign-ins in progress. Finish or cancel one." };
      const end = new AbortController();
      const begun = await method.begin(parts, end.signal);
      if (begun.kind === "denied" || begun.kind === "failed")
        return { ok: false, sentence: sentenceOf(provider, begun) };
      const signInId = parts.newId();
      const outcome = outcomeOf(begun, end.signal).then((ended) => keep(provider, method, ended));
      // Whoever finishes it is told; until then an error must not end the process.
      outcome.catch(() => {});
      pending.set(signInId, { end, outcome });
      if (begun.kind === "signed-in") return { ok: true, signInId };
      const { url, code, endsAtMs } = begun;
      return { ok: true, signInId, url, endsAtMs, ...(code !== undefined && { code }) };
    },
    finish(signInId) {
      const found = pending.get(signInId);
      return found?.outcome.finally(() => pending.delete(signInId));
    },
    cancel(signInId) {
      const found = pending.get(signInId);
      found?.end.abort();
      return pending.delete(signInId);
    },
    close() {
      for (const { end } of pending.values()) end.abort();
      pending.clear();
    },
  };
}

async function outcomeOf(
  begun: Extract<Begun, { kind: "visit" | "signed-in" }>,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  return begun.kind === "visit" ? begun.finish(signal) : begun;
}

function sentenceOf(provider: string, outcome: Exclude<SignInOutcome, { readonly kind: "signed-in" }>): string {
  switch (outcome.kind) {
    case "denied":
      return `The sign-in to ${provider} was denied${outcome.reason === undefined ? "" : `: ${outcome.reason}`}.`;
    case "expired":
      return `The sign-in to ${provider} was not finished in time. Try again.`;
    case "cancelled":
      return `Sign-in to ${provider} canceled.`;
    case "failed":
      return sentences(outcome.failure);
  }
}

function sentences({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}
