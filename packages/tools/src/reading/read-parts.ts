/** What the `read` tool is given: by the model with each call, by the program once per session. */
import type { Media, Need, ToolContext } from "@kedge/protocol";
import type { Conflicts } from "../editing/conflicts/conflicts.ts";
import type { RipgrepParts } from "../searching/ripgrep.ts";
import type { Grammars } from "../syntax/grammars.ts";
import type { PageArtifacts } from "./page-artifacts.ts";
import type { ShownReads } from "./shown-reads.ts";

export type ReadInput = {
  readonly filePath: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly pages?: string;
};

/** Milliseconds since 1970; without it a directory shows dates in the place of ages. */
export type WallClock = () => number;

export type ReadSettings = {
  /** Lines shown where a call names no end; at most 2,000. */
  readonly defaultLimit: number;
  /** Whether longer source files come as an outline. */
  readonly summarize: boolean;
};

export const defaultReadSettings: ReadSettings = { defaultLimit: 2_000, summarize: true };

export type PageText =
  /** The title is empty where the page has none. The text is as fetched: whoever shows it marks it as data. */
  | { readonly ok: true; readonly text: string; readonly title: string }
  | { readonly ok: false; readonly problem: string };

/** Fetches web pages as text and keeps them for a while, so that asking again costs nothing. */
export type PageSource = {
  readonly needs: (url: string) => readonly Need[];
  readonly fetch: (url: string, context: ToolContext) => Promise<PageText>;
};

/** `server` is there where a server wrote the text. */
export type ReadResource = (
  url: string,
  signal: AbortSignal,
) => Promise<
  | { readonly ok: true; readonly text: string; readonly media: readonly Media[]; readonly server?: string }
  | { readonly ok: false; readonly sentence: string }
>;

export type KnownConflicts = Pick<Conflicts, "record" | "find">;

/** Whatever is left out cannot be read, and the tool says so. */
export type ReadParts = RipgrepParts & {
  readonly wallClockMs: WallClock;
  readonly settings?: ReadSettings;
  readonly grammars?: Grammars;
  readonly conflicts?: KnownConflicts;
  readonly pages?: PageSource;
  readonly readResource?: ReadResource;
};

/** What the tool itself keeps between the calls of a session. */
export type ReadMemory = { readonly shownReads: ShownReads; readonly pageArtifacts: PageArtifacts };

/** The surroundings of one call. */
export type ReadPlace = {
  readonly context: ToolContext;
  readonly parts: ReadParts | undefined;
  readonly memory: ReadMemory;
};

export type ReadCall = ReadPlace & { readonly input: ReadInput };

export function isPartial({ offset, limit }: ReadInput): boolean {
  return offset !== undefined || limit !== undefined;
}
