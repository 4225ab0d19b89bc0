/** Recognises errors that vendors describe in prose only, by the patterns in the data file beside. */
import { textBeside } from "@kedge/protocol/text-file";
import { durationMsOf } from "../limits/header-times.ts";
import { isVendorFailureCode, type VendorFailureCode } from "./failure-wordings.ts";

/** `pattern` may name the groups `input` and `limit`, which then hold numbers of tokens. */
type PatternRow = {
  readonly name: string;
  readonly vendor: string;
  readonly class: string;
  readonly pattern: string;
};

/** `waits` have a group `wait` that holds a duration. */
type PatternFile = { readonly classes: readonly PatternRow[]; readonly waits: readonly string[] };

export type TokenCounts = { readonly inputTokens: number; readonly limitTokens: number };

export type MessageMatch = { readonly name: string; readonly code: VendorFailureCode; readonly counts?: TokenCounts };

/** Vendors may quote the user's own words; what they have to say themselves stands at the beginning. */
const matchedCharactersMax = 2_000;

/** Requests are refused for their length with these; with others, such as 401, the words mean something else. */
const overflowStatuses: ReadonlySet<number> = new Set([400, 413, 422, 429, 500, 502]);

/** The first row that fits. Read from the file each time: failures are rare, and nothing then has to be kept. */
export function matchMessage(message: string, status: number | undefined): MessageMatch | undefined {
  if (message === "") return undefined;
  const text = message.slice(0, matchedCharactersMax).replace(/\s+/g, " ");
  for (const { name, class: code, pattern } of patternFile().classes) {
    if (!isVendorFailureCode(code)) throw new Error(`the message pattern "${name}" has no known class`);
    if (code === "prompt_too_long" && status !== undefined && !overflowStatuses.has(status)) continue;
    const groups = matchGroups(pattern, text);
    if (groups === undefined) continue;
    const counts = countsOf(groups);
    return { name, code, ...(counts === undefined ? {} : { counts }) };
  }
  return undefined;
}

/** How long the vendor asks to wait, where it says so in words; streams have no header for it. */
export function waitMsInMessage(message: string): number | undefined {
  if (message === "") return undefined;
  const text = message.slice(0, matchedCharactersMax);
  for (const pattern of patternFile().waits) {
    const wait = matchGroups(pattern, text)?.["wait"];
    if (wait !== undefined) return durationMsOf(wait);
  }
  return undefined;
}

export function patternNames(): readonly string[] {
  return patternFile().classes.map(({ name }) => name);
}

function patternFile(): PatternFile {
  // Our own file, whose shape a test checks row by row.
  return JSON.parse(textBeside(import.meta.url, "./message-patterns.json")) as PatternFile;
}

function matchGroups(pattern: string, text: string): { readonly [name: string]: string | undefined } | undefined {
  const matched = new RegExp(pattern, "i").exec(text);
  return matched === null ? undefined : (matched.groups ?? {});
}

function countsOf({ input, limit }: { readonly [name: string]: string | undefined }): TokenCounts | undefined {
  if (input === undefined || limit === undefined) return undefined;
  return { inputTokens: tokensOf(input), limitTokens: tokensOf(limit) };
}

function tokensOf(written: string): number {
  return Number(written.replaceAll(",", ""));
}
