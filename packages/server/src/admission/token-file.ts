/** The file of the user's own tokens: digests, names and rights; the tokens themselves are shown once and kept nowhere. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Failure, FailureError, isJsonObject, reasonOf, type Scope, scopes } from "@kedge/protocol";
import type { HostAccess, OwnFiles } from "../host-access.ts";
import { markVariable } from "./agent-mark.ts";
import { digestOf, newToken } from "./secret-words.ts";

export type StoredToken = {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string;
  /** Both in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** What may be shown of a token. */
export type ListedToken = Omit<StoredToken, "digest">;

export type NewToken = {
  readonly name: string;
  readonly scope: Scope;
  readonly lifetimeMs: number;
};

export type TokenAccess = OwnFiles & Pick<HostAccess, "now" | "environment">;

const format = 1;
const ownerOnly = 0o600;
const idBytes = 4;
const nameLengthMax = 60;
const dayMs = 86_400_000;
const tokenLifetimeMsMax = 365 * dayMs;

export function tokenFilePath(home: string): string {
  return join(home, "tokens.json");
}

/** The token is in the answer and nowhere else. Throws a FailureError for what cannot be a token. */
export function addToken(
  access: TokenAccess,
  { name, scope, lifetimeMs }: NewToken,
): { readonly token: string; readonly listed: ListedToken } {
  refuseAgents(access.environment);
  if (!/^[\w.-]+$/.test(name) || name.length > nameLengthMax) {
    throw invalid(
      `"${name}" is not a valid token name.`,
      `Use up to ${nameLengthMax} letters, digits, dots and dashes.`,
    );
  }
  if (!Number.isSafeInteger(lifetimeMs) || lifetimeMs <= 0 || lifetimeMs > tokenLifetimeMsMax) {
    throw invalid("The lifetime of a token is at most 365 days.", "Use a duration such as 12h or 30d.");
  }
  const token = newToken();
  const createdAt = access.now();
  const id = randomBytes(idBytes).toString("hex");
  const listed: ListedToken = { id, name, scope, createdAt, expiresAt: createdAt + lifetimeMs };
  changeTokenFile(access, (tokens) => {
    const valid = tokens.filter(({ expiresAt }) => expiresAt > createdAt);
    if (valid.some((known) => known.name === name)) {
      throw invalid(`A token named ${name} already exists.`, "Remove it first, or choose another name.");
    }
    return [...valid, { ...listed, digest: digestOf(token).toString("hex") }];
  });
  return { token, listed };
}

/** Those too that are no longer valid, until another one is added. */
export function listTokens(home: string): readonly ListedToken[] {
  return readTokenFile(tokenFilePath(home)).map(({ digest: _, ...listed }) => listed);
}

/** By id or by name. False when there is none. */
export function removeToken(files: OwnFiles, idOrName: string): boolean {
  let isRemoved = false;
  changeTokenFile(files, (tokens) => {
    const kept = tokens.filter(({ id, name }) => id !== idOrName && name !== idOrName);
    isRemoved = kept.length < tokens.length;
    return isRemoved ? kept : tokens;
  });
  return isRemoved;
}

const unitsMs: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: dayMs };

/** `90m`, `12h` or `30d`; undefined for anything else. */
export function parseTokenLifetime(text: string): number | undefined {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** No tokens when there is no file. Throws a FailureError when there is one that cannot be used. */
export function readTokenFile(path: string): readonly StoredToken[] {
  if (!existsSync(path)) return [];
  try {
    // Whoever may write here may let himself in.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, ownerOnly);
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(value) || value["format"] !== format || !Array.isArray(value["tokens"])) {
      throw new FailureError(unusable(path, "it has an unsupported version"));
    }
    return value["tokens"].filter(isStoredToken);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const why = error instanceof SyntaxError ? "it is not valid JSON" : reasonOf(error);
    throw new FailureError(unusable(path, why), error);
  }
}

function changeTokenFile(
  { home, whileLocked, replaceFile }: OwnFiles,
  change: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): void {
  const path = tokenFilePath(home);
  try {
    whileLocked(path, () => {
      const current = readTokenFile(path);
      const tokens = change(current);
      if (tokens !== current) replaceFile(path, `${JSON.stringify({ format, tokens }, undefined, 2)}\n`);
    });
  } catch (error) {
    if (error instanceof FailureError || !(error instanceof Error && "code" in error)) throw error;
    throw new FailureError(unusable(path, reasonOf(error)), error);
  }
}

function isStoredToken(value: unknown): value is StoredToken {
  if (!isJsonObject(value)) return false;
  const { id, name, scope, digest, createdAt, expiresAt } = value;
  const isNamed = typeof id === "string" && typeof name === "string" && scopes.some((known) => known === scope);
  const isDigest = typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest);
  return isNamed && isDigest && typeof createdAt === "number" && typeof expiresAt === "number";
}

/** A command of the agent could otherwise give itself the right to approve. */
function refuseAgents(environment: HostAccess["environment"]): void {
  if (environment[markVariable] === undefined) return;
  throw invalid("Commands run by the agent cannot create tokens.", "Run kedge token add in your own terminal.");
}

function invalid(message: string, recovery: string): FailureError {
  return new FailureError({ code: "invalid_command", message, recovery, retryable: false });
}

function unusable(path: string, why: string): Failure {
  return {
    code: "configuration",
    message: `Cannot use the token file ${path}: ${why}.`,
    recovery: "Fix it, or delete it and add the tokens again with kedge token add.",
    retryable: false,
  };
}
