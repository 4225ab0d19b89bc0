/** Sessions as files, for whoever has a store: what is written is redacted, what is read is data. Loaded when needed. */

import {
  applyRecord,
  collectView,
  emptySession,
  type FactRecord,
  type Failure,
  type LeaseHolder,
  messagesOf,
  type SessionSummary,
  type Store,
} from "@kedge/protocol";
import { gitBranchOf } from "../machine/git-branch.ts";
import type { ExportFormat, ImportReport, TranscriptFiles, TranscriptInput } from "../transcripts/index.ts";
import type { TranscriptForm } from "../transcripts/transcript-place.ts";

export type SessionFilesParts = {
  readonly store: Store;
  readonly holder: LeaseHolder;
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly redact: (text: string) => string;
  readonly newId: (prefix: string) => string;
  readonly newRequestId: () => string;
  readonly now: () => number;
  readonly kedgeVersion: string;
  readonly directory: string;
  readonly projectId: string;
  /** What is kept of each session as a file. */
  readonly kept: readonly TranscriptForm[];
  readonly onNotice: (sentence: string) => void;
};

export type SessionExport = {
  readonly format: ExportFormat;
  /** Leaves secrets in; has to be asked for each time. */
  readonly isPlain: boolean;
  readonly withoutToolOutput: boolean;
  readonly withoutReasoning: boolean;
  /** Names the branch that the session's directory is on now. */
  readonly withBranch?: true;
};

export type Exported =
  | { readonly ok: true; readonly pieces: AsyncIterable<string> }
  | { readonly ok: false; readonly failure: Failure };

export type Imported =
  | { readonly ok: true; readonly sessionId: string; readonly report: ImportReport }
  | { readonly ok: false; readonly failure: Failure };

export interface SessionFiles {
  export(summary: SessionSummary, options: SessionExport): Promise<Exported>;
  /** A session of its own in this directory; nothing in it runs, and no permission comes with it. */
  import(input: TranscriptInput, model: string): Promise<Imported>;
  /** Takes out of a text what must not leave the machine. */
  redactor(): Promise<
    { readonly ok: true; readonly redact: (text: string) => string } | Extract<Exported, { ok: false }>
  >;
  /** Those that are kept beside the database; what writes them is loaded here. */
  transcripts(): Promise<TranscriptFiles>;
}

export function createSessionFiles(parts: SessionFilesParts): SessionFiles {
  const { store, holder } = parts;
  const files: SessionFiles = {
    async export(summary, { isPlain, withBranch, ...options }) {
      const { exportSession } = await import("../transcripts/index.ts");
      const redactor = await files.redactor();
      if (!redactor.ok) return redactor;
      const records: FactRecord[] = [];
      for await (const record of store.read(summary.sessionId, 0)) records.push(record);
      const view = collectView(summary.sessionId, records);
      const leafId = view.session?.leafId;
      const workSummary = workSummaryOf(summary.sessionId, records);
      const gitBranch = withBranch ? gitBranchOf(summary.directory) : undefined;
      const pieces = exportSession(
        {
          summary,
          records: store.read(summary.sessionId, 0),
          rows: store.rows(summary.sessionId),
          messages: messagesOf(view),
          ...(leafId !== undefined && { leafId }),
          ...(gitBranch !== undefined && { gitBranch }),
          ...(workSummary !== undefined && { workSummary }),
          kedgeVersion: parts.kedgeVersion,
        },
        { ...options, redact: isPlain ? "none" : redactor.redact },
      );
      return { ok: true, pieces };
    },
    async redactor() {
      const { createExportRedactor, readSecrets } = await import("../transcripts/index.ts");
      const secrets = await readSecrets(parts.home);
      if (!secrets.ok) return { ok: false, failure: refused(secrets.sentence) };
      const { redact, environment } = parts;
      const redactor = createExportRedactor({ redact, environment, secrets: secrets.entries });
      return redactor.ok ? redactor : { ok: false, failure: refused(redactor.sentence) };
    },
    async import(input, model) {
      const { importSession } = await import("../transcripts/index.ts");
      const { newId, newRequestId, now, directory, projectId, kedgeVersion } = parts;
      const place = { directory, projectId, model, kedgeVersion, boot: holder.boot };
      const read = await importSession(input, { newId, newRequestId, now, ...place });
      if (!read.ok) return { ok: false, failure: refused(read.sentence) };
      const sessionId = newId("ses_");
      const lease = await store.acquireLease(sessionId, holder);
      if (!lease.ok) return { ok: false, failure: refused("Could not open the new session.") };
      const { facts, times, report } = read;
      await store.append(sessionId, facts, { boot: holder.boot, durable: true, times });
      await store.releaseLease(sessionId, holder.boot);
      return { ok: true, sessionId, report };
    },
    async transcripts() {
      const { createTranscriptFiles } = await import("../transcripts/index.ts");
      const { home, kept: forms, onNotice } = parts;
      const whole = { isPlain: false, withoutToolOutput: false, withoutReasoning: false, withBranch: true } as const;
      const exportAs = (summary: SessionSummary, format: "jsonl" | "md") => files.export(summary, { format, ...whole });
      return createTranscriptFiles({ home, store, forms, onNotice, exportAs });
    },
  };
  return files;
}

function refused(message: string): Failure {
  return { code: "invalid_command", message, retryable: false };
}

/** One that tells of an earlier state is left out. */
function workSummaryOf(sessionId: string, records: readonly FactRecord[]): string | undefined {
  if (!records.some(({ fact }) => fact.type === "session.updated" && fact.summary !== undefined)) return undefined;
  const state = emptySession(sessionId);
  for (const record of records) applyRecord(state, record);
  const { workSummary, leaf } = state;
  return workSummary?.leaf === leaf ? workSummary?.text : undefined;
}
