/** Reads context sources, which others may have written: one that fails is skipped, and said so once. */
import type { ContextBlock, ContextSession, ContextSource } from "@kedge/protocol";
import type { Journal } from "../journal.ts";
import { readBlocks } from "./read-blocks.ts";

export type SourceReaderParts = {
  readonly sources: readonly ContextSource[];
  readonly journal: Pick<Journal, "state" | "signal">;
  readonly redact: (text: string) => string;
};

export type ReadSource = (source: ContextSource, session: ContextSession) => readonly ContextBlock[];

export function createSourceReader({ sources, journal, redact }: SourceReaderParts): ReadSource {
  const known = new Set<string>();
  /** Those whose name another one has: what the conversation shows of the one would count for the other. */
  const namesakes = new Set(sources.filter(({ name }) => known.size === known.add(name).size));
  const failed = new Set<string>();

  return (source, session) => {
    try {
      if (namesakes.has(source)) throw new Error("another source has this name");
      const given = source.read(session);
      // Nearly all of them have nothing to say.
      return Array.isArray(given) && given.length === 0 ? given : readBlocks(given);
    } catch (error) {
      if (!failed.has(source.name)) {
        failed.add(source.name);
        const why = error instanceof Error ? error.message : String(error);
        const text = `The context source "${source.name}" failed and was skipped: ${redact(why)}`;
        journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
      }
      return [];
    }
  };
}
