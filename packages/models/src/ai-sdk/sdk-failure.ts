/** Says what an error of a provider package means, by its name, status and system code and never by its text. */
import { type Failure, FailureError, isJsonObject } from "@kedge/protocol";
import { type CallContext, failureOfStatus, failureOfVendorError, malformedResponse } from "../failure/call-failure.ts";
import { failureOfStop } from "../failure/connection-failure.ts";
import type { ResponseHeaders } from "../http/http-exchange.ts";
import { type JsonMembers, stringOf } from "../wire/vendor-json.ts";

const causesMax = 8;
const messageCharactersMax = 300;

/** The names that the AI SDK's packages give to their errors. */
const configurationErrors: ReadonlySet<string> = new Set(["AI_LoadAPIKeyError", "AI_LoadSettingError"]);
const requestErrors: ReadonlySet<string> = new Set([
  "AI_UnsupportedFunctionalityError",
  "AI_InvalidPromptError",
  "AI_InvalidArgumentError",
]);
const answerErrors: ReadonlySet<string> = new Set([
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
  "AI_NoContentGeneratedError",
]);

/** Codes of Node's own client, which some packages use beside the one they are given. */
const systemCodes: ReadonlyMap<string, string> = new Map([
  ["UND_ERR_SOCKET", "ECONNRESET"],
  ["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"],
  ["UND_ERR_HEADERS_TIMEOUT", "ETIMEDOUT"],
  ["UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"],
]);

/** What a package threw or reported as an `error` part. */
export function failureOfSdkError(error: unknown, context: CallContext, packageName: string): Failure {
  const chain = causesOf(error);
  const known = chain.find((cause) => cause instanceof FailureError);
  if (known instanceof FailureError) return known.failure;
  const network = chain.find((cause) => isNetworkCode(memberOf(cause, "code")));
  if (network !== undefined) return failureOfStop({ kind: "broken", error: errnoOf(network) }, context);
  for (const cause of chain) {
    const failure = failureOfOne(cause, context, packageName);
    if (failure !== undefined) return failure;
  }
  // Vendors' errors inside a stream are handed on as they came.
  if (!(error instanceof Error)) return failureOfVendorError(error, context);
  return {
    code: "unknown",
    message: `The package ${packageName} failed: ${shortMessage(error, context)}`,
    recovery: "Check the provider's settings and the package version.",
    retryable: false,
    requestId: context.requestId,
  };
}

function failureOfOne(cause: unknown, context: CallContext, packageName: string): Failure | undefined {
  const name = stringOf(memberOf(cause, "name"));
  const status = memberOf(cause, "statusCode");
  if (typeof status === "number" && (status < 200 || status > 299))
    return failureOfStatus(answerOf(cause, status), context);
  if (configurationErrors.has(name)) return ownFailure("configuration", cause, context);
  if (requestErrors.has(name)) return ownFailure("bad_request", cause, context);
  if (name === "AI_NoSuchModelError") return ownFailure("invalid_model", cause, context);
  if (!answerErrors.has(name)) return undefined;
  // Nothing to show means that the stream ended before the vendor said why.
  if (name === "AI_InvalidResponseDataError" && memberOf(cause, "data") === undefined)
    return failureOfStop({ kind: "ended" }, context);
  return malformedResponse(`an answer that ${packageName} does not understand`, context);
}

function ownFailure(code: Failure["code"], cause: unknown, context: CallContext): Failure {
  return { code, message: shortMessage(cause, context), retryable: false, requestId: context.requestId };
}

function shortMessage(error: unknown, { redact }: CallContext): string {
  const message = redact(stringOf(memberOf(error, "message")).split("\n", 1)[0] ?? "").trim();
  if (message === "") return "no reason given.";
  return message.length > messageCharactersMax ? `${message.slice(0, messageCharactersMax)}…` : message;
}

function answerOf(
  cause: unknown,
  status: number,
): { readonly status: number; readonly headers: ResponseHeaders; readonly body: string } {
  const headers = memberOf(cause, "responseHeaders");
  const texts = Object.entries(isJsonObject(headers) ? headers : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { status, headers: Object.fromEntries(texts), body: stringOf(memberOf(cause, "responseBody")) };
}

function isNetworkCode(code: unknown): boolean {
  return typeof code === "string" && (/^(?:E[A-Z]+|HPE_\w+|CERT_\w+)$/.test(code) || systemCodes.has(code));
}

function errnoOf(error: unknown): NodeJS.ErrnoException {
  const code = stringOf(memberOf(error, "code"));
  return Object.assign(new Error("The connection failed."), { code: systemCodes.get(code) ?? code });
}

/** The error and what caused it, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause != null && chain.length < causesMax; cause = memberOf(cause, "cause"))
    chain.push(cause);
  return chain;
}

function memberOf(value: unknown, name: keyof JsonMembers): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}
