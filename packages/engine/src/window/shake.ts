/** Moves long results into artifacts, where the model can read them again; a line that names the artifact stays. */
import { attachmentStub, type CallResult, type SessionState } from "@kedge/protocol";
import { type Clearing, tokensFreed } from "./after-clearing.ts";
import type { Cleared } from "./clear-results.ts";
import { tokensOfText } from "./estimate-tokens.ts";
import { createResultIndex, type ShownResult } from "./result-index.ts";

/** `automatic` leaves the newest alone and does nothing for little; `images` takes pictures and documents only. */
export type ShakeMode = "automatic" | "all" | "images";

export type ShakeOptions = {
  readonly mode: ShakeMode;
  /** Stores the text as an artifact of this tool and gives back its number. */
  readonly save: (text: string, tool: string) => Promise<number>;
};

const resultTokensMin = 400;
const protectedTokens = 16_000;
const savedTokensMin = 4_000;
/** What the line that stays is taken for before its number is known. */
const lineTokens = 30;

export async function planShake(state: SessionState, { mode, save }: ShakeOptions): Promise<Cleared | undefined> {
  const index = createResultIndex()(state);
  const shown = index.results.filter(({ result, isKept, isSeen }) => result.cleared === undefined && isSeen && !isKept);
  if (mode === "images")
    return clearAll(
      shown.filter(({ result }) => hasMedia(result)),
      async ({ result }) => withoutMedia(result),
    );
  const isAutomatic = mode === "automatic";
  const long = shown.filter(({ tokens, endTokens }) => {
    const isOld = index.tokens - endTokens >= protectedTokens;
    return tokens >= resultTokensMin && (isOld || !isAutomatic);
  });
  const saved = long.reduce((sum, { tokens }) => sum + tokens - lineTokens, 0);
  if (isAutomatic && saved < savedTokensMin) return undefined;
  return clearAll(long, async ({ result }) => {
    // Where the length is that of pictures, there is no text worth moving.
    if (tokensOfText(result.output) < resultTokensMin) return withoutMedia(result);
    const number = await save(result.output, result.tool);
    return [movedLine(number, result.output.length), ...stubs(result)].join("\n");
  });
}

async function clearAll(
  entries: readonly ShownResult[],
  textFor: (entry: ShownResult) => Promise<string>,
): Promise<Cleared | undefined> {
  const clearings: Clearing[] = [];
  for (const entry of entries) clearings.push({ entry, text: await textFor(entry) });
  if (clearings.length === 0) return undefined;
  return {
    type: "context.cleared",
    reason: "shaken",
    results: clearings.map(({ entry, text }) => ({ stepId: entry.stepId, callId: entry.result.callId, text })),
    tokensFreed: Math.floor(tokensFreed(clearings)),
  };
}

function movedLine(number: number, characters: number): string {
  return `[Moved to artifact://${number} (${characters} characters). Read it by ranges, such as artifact://${number}:1-200.]`;
}

function hasMedia({ media }: CallResult): boolean {
  return media !== undefined && media.length > 0;
}

function withoutMedia(result: CallResult): string {
  return [result.output, ...stubs(result)].filter((text) => text !== "").join("\n");
}

function stubs({ media = [] }: CallResult): readonly string[] {
  return media.map(attachmentStub);
}
