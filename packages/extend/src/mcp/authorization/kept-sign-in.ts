/** A sign-in: what an authorization server gave for one MCP server, and for which client. */
import { isJsonObject } from "@kedge/protocol";

/** Who kedge is to an authorization server. Never shown to another one: identifiers are unique to their issuer. */
export type SignInClient = {
  readonly id: string;
  readonly secret?: string;
  /** How the client proves itself at the token endpoint, where the registration says so. */
  readonly method?: string;
  /** Registered for this address alone; a client without one may come back on any port. */
  readonly redirectUri?: string;
};

export type SignInTokens = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Separated by spaces, as granted. */
  readonly scope?: string;
  readonly obtainedAt: number;
  readonly expiresAt?: number;
};

export type KeptSignIn = {
  readonly issuer: string;
  readonly client: SignInClient;
  readonly tokens?: SignInTokens;
  /** Asked for by the server beyond what was granted; the next sign-in requests it. */
  readonly wantedScope?: string;
  /** Where the server described itself, if not at the usual place. */
  readonly resourceMetadataUrl?: string;
};

/** Where sign-ins are kept, by the URL of their server. */
export type SignInStore = {
  read(serverUrl: string): KeptSignIn | undefined;
  /** Undefined removes it. */
  write(serverUrl: string, signedIn: KeptSignIn | undefined): void;
  /** No other process renews the sign-in of this server meanwhile. */
  whileLocked<Result>(serverUrl: string, work: () => Promise<Result>): Promise<Result>;
};

/** Undefined for a text that is not a sign-in: signing in again replaces it. */
export function parseSignIn(text: string): KeptSignIn | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isJsonObject(value) || typeof value["issuer"] !== "string") return undefined;
  const client = isJsonObject(value["client"]) ? value["client"] : {};
  if (typeof client["id"] !== "string") return undefined;
  const tokens = parseTokens(value["tokens"]);
  return {
    issuer: value["issuer"],
    client: { id: client["id"], ...texts(client, ["secret", "method", "redirectUri"]) },
    ...(tokens !== undefined && { tokens }),
    ...texts(value, ["wantedScope", "resourceMetadataUrl"]),
  };
}

function parseTokens(value: unknown): SignInTokens | undefined {
  if (!isJsonObject(value)) return undefined;
  const { accessToken, obtainedAt, expiresAt } = value;
  if (typeof accessToken !== "string" || typeof obtainedAt !== "number") return undefined;
  return {
    accessToken,
    obtainedAt,
    ...(typeof expiresAt === "number" && { expiresAt }),
    ...texts(value, ["refreshToken", "scope"]),
  };
}

function texts<Name extends string>(value: object, names: readonly Name[]): { readonly [Key in Name]?: string } {
  const found = names.flatMap((name) => {
    const text: unknown = Reflect.get(value, name);
    return typeof text === "string" ? [[name, text]] : [];
  });
  return Object.fromEntries(found) as { [Key in Name]?: string };
}

/** Renewed a minute ahead, or after half of a very short life. */
const aheadMs = 60_000;

export function isDue({ obtainedAt, expiresAt }: SignInTokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= Math.max(expiresAt - aheadMs, (obtainedAt + expiresAt) / 2);
}

export function isExpired({ expiresAt }: SignInTokens, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

/** Each scope once, in the order in which they were named; undefined when there is none. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = scopes.flatMap((scope) => scope?.split(" ") ?? []).filter((word) => word !== "");
  return words.length === 0 ? undefined : [...new Set(words)].join(" ");
}
