/** Reads single fields of a file whose shape nobody promised. */
import { isJsonObject, type Media, type Usage } from "@kedge/protocol";
import type { SkipCounter } from "./import-types.ts";
import { parseObject } from "./journal-row.ts";
import type { UnknownObject } from "./read-input.ts";

/** The last millisecond that a date can name. */
export const timeMax = 8_640_000_000_000_000;

const mediaCharactersMax = 30 * 1024 * 1024;
const toolNameCharactersMax = 64;

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function objectOf(value: unknown): UnknownObject {
  return isJsonObject(value) ? value : {};
}

export function objectsOf(value: unknown): readonly UnknownObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Milliseconds since the epoch, from a number or from a date in text. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && time >= 0 && time <= timeMax ? Math.trunc(time) : undefined;
}

/** Far above what any session took; sums of numbers beyond it would say nothing any more. */
export const tokensMax = 1_000_000_000_000;
export const usdMax = 1_000_000_000;

function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 && value <= tokensMax ? Math.trunc(value) : 0;
}

/** Undefined for what is no amount of money. */
export function usdOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= usdMax ? value : undefined;
}

type UsageNames = { readonly [Name in "input" | "output" | "reasoning" | "cacheRead" | "cacheWrite"]: unknown };

export function usageOf(counts: UsageNames): Usage {
  return {
    input: countOf(counts.input),
    output: countOf(counts.output),
    reasoning: countOf(counts.reasoning),
    cacheRead: countOf(counts.cacheRead),
    cacheWrite: countOf(counts.cacheWrite),
  };
}

/** Vendors take no other signs in the name of a tool. */
export function toolNameOf(value: unknown): string {
  return (
    textOf(value)
      .replaceAll(/[^\w-]/g, "_")
      .slice(0, toolNameCharactersMax) || "unknown"
  );
}

/** The input of a call is always an object; anything else is wrapped into one. */
export function inputTextOf(value: unknown): string {
  if (typeof value === "string") return parseObject(value) === undefined ? JSON.stringify({ input: value }) : value;
  return JSON.stringify(isJsonObject(value) ? value : value === undefined ? {} : { input: value });
}

/** Pictures and documents of the kinds that models take; others are counted. */
export function mediaOf(
  given: { readonly name: unknown; readonly mediaType: unknown; readonly base64: unknown },
  skipped: SkipCounter,
): readonly Media[] {
  const mediaType = textOf(given.mediaType);
  const base64 = textOf(given.base64);
  const isKnown = /^image\/(?:png|jpeg|gif|webp)$|^application\/pdf$/.test(mediaType);
  if (!isKnown || base64.length > mediaCharactersMax || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    skipped.add("attachments");
    return [];
  }
  return [{ name: textOf(given.name) || mediaType.replace("/", "."), mediaType, base64 }];
}

/** `data:image/png;base64,…` */
export function mediaOfUrl(url: unknown, name: unknown, skipped: SkipCounter): readonly Media[] {
  const [, mediaType, base64] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(textOf(url)) ?? [];
  return mediaOf({ name, mediaType, base64 }, skipped);
}
