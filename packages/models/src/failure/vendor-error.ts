/** Finds what a vendor says about an error, in whichever of the known shapes its answer has. */
import { isJsonObject } from "@kedge/protocol";
import { durationMsOf } from "../limits/header-times.ts";
import type { TokenCounts } from "./message-patterns.ts";
import { dailyQuotaWord } from "./vendor-words.ts";

export type VendorError = {
  /** What the vendor calls the error, in lower case, the most telling word first. */
  readonly words: readonly string[];
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly retryDelayMs?: number;
  /** As the vendor wrote it. */
  readonly resetAt?: string;
  readonly counts?: TokenCounts;
};

type JsonObject = { readonly [key: string]: unknown };

/** Gateways wrap what the vendor behind them said, some of them as text inside text. */
const wrappingsMax = 4;

const nothing: VendorError = { words: [], message: "" };

/** `body` is text as it came, whole or cut off. */
export function readErrorBody(body: string): VendorError {
  const parsed = parseJson(body);
  if (parsed !== undefined) return readVendorError(parsed);
  // Proxies answer with pages of HTML; the status alone then says what happened.
  return body.trimStart().startsWith("<") ? nothing : { words: [], message: body.trim() };
}

export function readVendorError(value: unknown, wrappings = 0): VendorError {
  if (typeof value === "string") return { words: [], message: value };
  if (Array.isArray(value)) return readVendorError(value[0], wrappings + 1);
  if (!isJsonObject(value) || wrappings > wrappingsMax) return nothing;
  const inner = value["error"];
  if (inner === undefined || inner === null) return readErrorObject(value, wrappings);
  const outerId = value["request_id"];
  const found = readVendorError(inner, wrappings + 1);
  return {
    ...found,
    ...(typeof inner === "string" ? { words: wordsOf(value) } : {}),
    ...(typeof outerId === "string" ? { requestId: outerId } : {}),
  };
}

function readErrorObject(error: JsonObject, wrappings: number): VendorError {
  const metadata = objectAt(error, "metadata");
  const message = messageOf(error);
  const wrapped = parseJson(textAt(metadata, "raw") ?? message);
  const within = wrapped === undefined ? nothing : readVendorError(wrapped, wrappings + 1);
  const status = statusOf(error);
  const requestId = textAt(error, "request_id");
  const retryDelayMs = retryDelayOf(error);
  const resetAt = error["resets_at"] ?? objectAt(metadata, "headers")["X-RateLimit-Reset"];
  const counts = countsOf(error);
  return {
    ...within,
    words: [...within.words, ...wordsOf(error)],
    message: within.message === "" ? message : within.message,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
    ...(typeof resetAt === "number" || typeof resetAt === "string" ? { resetAt: String(resetAt) } : {}),
    ...(counts === undefined ? {} : { counts }),
  };
}

/** Mistral and FastAPI write `detail`, Amazon also `Message`. */
function messageOf(error: JsonObject): string {
  for (const name of ["message", "Message", "detail", "msg"]) {
    const value = error[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return objectsAt(error, "detail")
    .map(messageOf)
    .filter((text) => text !== "")
    .join("; ");
}

function wordsOf(error: JsonObject): readonly string[] {
  const details = objectsAt(error, "details");
  const words = [
    ...(details.some(isDailyQuota) ? [dailyQuotaWord] : []),
    error["code"],
    ...details.map(({ reason }) => reason),
    objectAt(error, "innererror")["code"],
    objectAt(error, "metadata")["error_type"],
    error["type"],
    error["status"],
    error["__type"],
    ...objectsAt(error, "errors").map(({ reason }) => reason),
  ];
  return words.flatMap((word) => (typeof word === "string" && word !== "" ? plainWord(word) : []));
}

/** Amazon names an exception with its namespace before and an address behind it. */
export function plainWord(word: string): string {
  return word.replace(/^.*#/, "").replace(/:.*$/, "").toLowerCase();
}

/** Google tells a limit per day only by the name of the quota. */
function isDailyQuota(detail: JsonObject): boolean {
  const names = [
    objectAt(detail, "metadata")["quota_limit"],
    ...objectsAt(detail, "violations").map(({ quotaId }) => quotaId),
  ];
  return names.some((name) => typeof name === "string" && name.includes("PerDay"));
}

function statusOf(error: JsonObject): number | undefined {
  for (const value of [error["code"], error["status"], error["status_code"]]) {
    const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof status === "number" && status >= 400 && status <= 599) return status;
  }
  return undefined;
}

function retryDelayOf(error: JsonObject): number | undefined {
  for (const { retryDelay } of objectsAt(error, "details"))
    if (typeof retryDelay === "string") return durationMsOf(retryDelay);
  return undefined;
}

function countsOf(error: JsonObject): TokenCounts | undefined {
  const inputTokens = error["n_prompt_tokens"];
  const limitTokens = error["n_ctx"];
  return typeof inputTokens === "number" && typeof limitTokens === "number" ? { inputTokens, limitTokens } : undefined;
}

/** Undefined for text that is no object or list, so that a number in quotes stays a message. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    // Cut off, or a sentence that begins with a bracket: it is then read as text.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textAt(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === "string" ? value : undefined;
}
