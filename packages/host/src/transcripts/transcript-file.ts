/** Keeps sessions as files for other programs: redacted, written whole or not at all, and readable by the user alone. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Failure, FailureError, reasonOf, type SessionSummary, type Store } from "@kedge/protocol";
import { replaceFileInPieces } from "../machine/replace-file.ts";
import { type TranscriptForm, transcriptForms, transcriptPath } from "./transcript-place.ts";

export type TranscriptParts = {
  /** kedge's own directory. */
  readonly home: string;
  readonly store: Pick<Store, "session" | "sessions">;
  /** The forms that are kept of each session. */
  readonly forms: readonly TranscriptForm[];
  /** The redacted text of a session. */
  readonly exportAs: (
    summary: SessionSummary,
    format: "jsonl" | "md",
  ) => Promise<
    { readonly ok: true; readonly pieces: AsyncIterable<string> } | { readonly ok: false; readonly failure: Failure }
  >;
  /** Told at most once: nothing but the copy is missing, and the next run writes it again. */
  readonly onNotice: (sentence: string) => void;
};

export interface TranscriptFiles {
  /** After a run. A session that is gone has none. */
  write(sessionId: string): Promise<void>;
  /** Of the newest sessions of a project those whose file is missing, or older than what was said last. */
  writeOutdated(projectId: string, isWorthIt: (facts: number) => boolean): Promise<void>;
  /** Whatever was kept of it before, also where nothing is kept any more. */
  rewrite(sessionId: string): Promise<void>;
}

const lookedAtMax = 50;
const outdatedMax = 5;

/** Never fails: whatever the disk or the list of secrets refuses ends in a notice. */
export function createTranscriptFiles(parts: TranscriptParts): TranscriptFiles {
  const { home, store, forms } = parts;
  let isTold = false;

  function tell(why: string): void {
    if (!isTold) parts.onNotice(`Could not write the session transcript: ${why}`);
    isTold = true;
  }

  async function writeForm(summary: SessionSummary, form: TranscriptForm): Promise<void> {
    const path = transcriptPath(home, summary, form);
    if (path === undefined) return;
    try {
      const exported = await parts.exportAs(summary, form === "jsonl" ? "jsonl" : "md");
      if (!exported.ok) return tell(exported.failure.message);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFileInPieces(path, exported.pieces);
    } catch (error) {
      if (error instanceof FailureError) tell(error.failure.message);
      else if (error instanceof Error && "syscall" in error) tell(`${path} cannot be written (${reasonOf(error)}).`);
      else throw error;
    }
  }

  async function writeForms(sessionId: string, wanted: readonly TranscriptForm[]): Promise<void> {
    const summary = wanted.length === 0 ? undefined : await store.session(sessionId);
    if (summary === undefined) return;
    for (const form of wanted) await writeForm(summary, form);
  }

  function isOutdated(summary: SessionSummary): boolean {
    return forms.some((form) => {
      const path = transcriptPath(home, summary, form);
      if (path === undefined) return false;
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined || stats.mtimeMs < summary.updatedAt;
    });
  }

  return {
    write: (sessionId) => writeForms(sessionId, forms),
    async writeOutdated(projectId, isWorthIt) {
      const newest = await store.sessions({ projectId, limit: lookedAtMax });
      const outdated = newest.filter((summary) => isWorthIt(summary.lastSeq) && isOutdated(summary));
      for (const { sessionId } of outdated.slice(0, outdatedMax)) await writeForms(sessionId, forms);
    },
    async rewrite(sessionId) {
      const summary = await store.session(sessionId);
      if (summary === undefined) return;
      const kept = transcriptForms.filter((form) => existsSync(transcriptPath(home, summary, form) ?? ""));
      await writeForms(sessionId, kept);
    },
  };
}
