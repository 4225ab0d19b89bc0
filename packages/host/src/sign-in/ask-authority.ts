/** One request to whoever gives out tokens: bounded, over the user's network, with an answer that is an object or a reason. */
import { getText, routeTo } from "@kedge/models";
import { type Failure, isJsonObject, type JsonObject } from "@kedge/protocol";
import type { SignInParts } from "./sign-in-method.ts";
import { isSafeAddress } from "./sign-in-settings.ts";

export type AuthorityRequest = {
  readonly url: string;
  readonly form?: { readonly [name: string]: string };
  readonly json?: JsonObject;
  readonly headers?: { readonly [name: string]: string };
};

/** The members of an answer, each to be looked at before it is used. */
export type AuthorityBody = { readonly [name: string]: unknown };

export type AuthorityAnswer =
  | { readonly ok: true; readonly body: AuthorityBody }
  /** `error` is the word of the standard, such as `invalid_grant`. */
  | { readonly ok: false; readonly status?: number; readonly error?: string; readonly failure: Failure };

const answerBytesMax = 256 * 1024;
const timeoutMs = 20_000;
const sentenceCharactersMax = 200;

export async function askAuthority(
  { url: address, headers = {}, ...body }: AuthorityRequest,
  { network, userAgent }: SignInParts,
  signal: AbortSignal,
): Promise<AuthorityAnswer> {
  if (!isSafeAddress(address)) return failed(address, "its URL is not https");
  const url = new URL(address);
  const answer = await getText({
    url,
    ...body,
    headers: { "user-agent": userAgent, ...headers },
    bytesMax: answerBytesMax,
    timeoutMs,
    signal,
    route: routeTo(url, network),
  });
  const { text } = answer;
  const value = parse(text ?? "");
  const { error, error_description: described } = value ?? {};
  // GitHub says what went wrong with status 200.
  if (answer.ok && value !== undefined && typeof error !== "string") return { ok: true, body: value };
  const status = answer.ok ? undefined : answer.status;
  const said = [described, error].find((each) => typeof each === "string");
  const reason = said ?? (answer.ok ? "its response is invalid" : answer.reason);
  return {
    ...failed(url.host, reason),
    ...(status !== undefined && { status }),
    ...(typeof error === "string" && { error }),
  };
}

function failed(host: string, reason: string): Extract<AuthorityAnswer, { readonly ok: false }> {
  // Whatever a server says is shortened; who prints it takes out what a terminal would obey.
  const short = reason.length > sentenceCharactersMax ? `${reason.slice(0, sentenceCharactersMax)}…` : reason;
  const message = `Signing in at ${host} failed: ${short.replace(/\.$/, "")}.`;
  return { ok: false, failure: { code: "auth_error", message, retryable: false } };
}

function parse(text: string): AuthorityBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** The member of an answer that must be a text. */
export function textOf(body: AuthorityBody, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberOf(body: AuthorityBody, name: string): number | undefined {
  const value = body[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
