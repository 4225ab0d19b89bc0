/** Reads a file of unknown origin in bounded pieces: lines, and the objects in them. */
import { isJsonObject } from "@kedge/protocol";
import { isDeeperThan } from "../is-deeper-than.ts";
import type { SkipCounter } from "./import-types.ts";

export type TranscriptInput = string | AsyncIterable<string | Uint8Array>;

export type InputLimits = { readonly bytesMax: number; readonly lineCharactersMax: number };

export const inputLimits: InputLimits = { bytesMax: 200 * 1024 * 1024, lineCharactersMax: 64 * 1024 * 1024 };

export type UnknownObject = { readonly [field: string]: unknown };

export type InputLine = {
  readonly text: string;
  /** Nothing follows it, not even the end of the line. */
  readonly isTorn: boolean;
};

export type LineReader = {
  readonly lines: AsyncIterator<InputLine>;
  /** True when reading stopped because the input is larger than the limit. */
  isTooLarge(): boolean;
  longLines(): number;
};

/** Holds one line at a time. A line over the limit is passed over and counted. */
export function createLineReader(input: TranscriptInput, { bytesMax, lineCharactersMax }: InputLimits): LineReader {
  let isTooLarge = false;
  let longLines = 0;

  async function* read(): AsyncGenerator<InputLine> {
    // Otherwise the decoder also takes out marks that happen to begin a piece.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let bytes = 0;
    let pieces: string[] = [];
    let length = 0;
    let isTooLong = false;
    const push = (piece: string) => {
      length += piece.length;
      if (length > lineCharactersMax) isTooLong = true;
      if (isTooLong) pieces = [];
      else pieces.push(piece);
    };
    const take = (isTorn: boolean): readonly InputLine[] => {
      const line = { text: pieces.join(""), isTorn };
      const isWhole = !isTooLong;
      pieces = [];
      length = 0;
      isTooLong = false;
      if (isWhole) return [line];
      longLines += 1;
      return [];
    };
    for await (const chunk of typeof input === "string" ? [input] : input) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        isTooLarge = true;
        return;
      }
      const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        push(text.slice(start, end));
        yield* take(false);
        start = end + 1;
      }
      push(text.slice(start));
    }
    push(decoder.decode());
    if (length > 0) yield* take(true);
  }

  return { lines: read(), isTooLarge: () => isTooLarge, longLines: () => longLines };
}

/** Deeper values would exhaust the stack of whoever walks them. */
export const depthMax = 100;

/** What a line holds, when it holds an object that can be walked. */
export function parseLine(text: string): UnknownObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !isDeeperThan(value, depthMax) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The objects of the remaining lines; what is no object is counted. */
export async function* readObjects(
  lines: AsyncIterable<InputLine>,
  skipped: SkipCounter,
): AsyncGenerator<UnknownObject> {
  for await (const { text, isTorn } of lines) {
    if (text.trim() === "") continue;
    const parsed = parseLine(text);
    if (parsed !== undefined) yield parsed;
    else skipped.add(isTorn ? "torn last line" : "malformed lines");
  }
}
