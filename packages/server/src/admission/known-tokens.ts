/** The tokens that are valid now: those made for this start, and those of the user as the file has them. */
import { statSync } from "node:fs";
import { FailureError, type Scope } from "@kedge/protocol";
import { digestOf, findByDigest } from "./secret-words.ts";
import { readTokenFile, tokenFilePath } from "./token-file.ts";

export type StartToken = { readonly token: string; readonly scope: Scope; readonly name: string };

export type KnownToken = {
  readonly scope: Scope;
  readonly name: string;
  /** That of the user's file; the tokens of this start have none and end with it. */
  readonly id?: string;
};

export type KnownTokens = {
  find(token: string): KnownToken | undefined;
  /** Whether the user's file still has it and its time is not over. */
  isValid(id: string): boolean;
};

export type KnownTokensParts = {
  /** kedge's own directory, where the tokens of the user are listed. */
  readonly home: string;
  readonly now: () => number;
  /** Those made for this start, such as the one of the run file. */
  readonly tokens: readonly StartToken[];
  /** Something that a person should know and that does not stop the server. */
  readonly onNotice: (message: string) => void;
};

type Entry = KnownToken & { readonly digest: Buffer; readonly expiresAt: number };

/** The file is looked at each time, so that a removed token is refused from the next request on. */
export function createKnownTokens({ home, now, tokens, onNotice }: KnownTokensParts): KnownTokens {
  const path = tokenFilePath(home);
  const ofStart = tokens.map(
    ({ token, scope, name }): Entry => ({ scope, name, digest: digestOf(token), expiresAt: Number.POSITIVE_INFINITY }),
  );
  let ofUser: { readonly version: string; readonly entries: readonly Entry[] } = { version: "", entries: [] };

  const read = (): readonly Entry[] => {
    const version = versionOf(path);
    if (version !== ofUser.version) ofUser = { version, entries: entriesOf(path, onNotice) };
    return ofUser.entries;
  };
  return {
    find(token) {
      const found = findByDigest([...ofStart, ...read()], token);
      return found !== undefined && found.expiresAt > now() ? found : undefined;
    },
    isValid: (id) => read().some((entry) => entry.id === id && entry.expiresAt > now()),
  };
}

/** The file is replaced as a whole, so another one has another number. */
function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? "" : [stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size].join(":");
}

/** A file that cannot be used lets nobody in, and takes away nothing from the tokens of this start. */
function entriesOf(path: string, onNotice: (message: string) => void): readonly Entry[] {
  try {
    return readTokenFile(path).map(({ id, name, scope, digest, expiresAt }) => {
      return { id, name, scope, digest: Buffer.from(digest, "hex"), expiresAt };
    });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    onNotice([error.failure.message, error.failure.recovery].join(" "));
    return [];
  }
}
