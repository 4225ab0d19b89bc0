/** Sessions as files, for whoever has a store: what is written is redacted, what is read is data. Loaded when needed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  collectView,
  type FactRecord,
  type Failure,
  isJsonObject,
  type LeaseHolder,
  messagesOf,
  type SessionSummary,
  type Store,
} from "@kedge/protocol";
import type { ExportFormat, ImportReport, SecretEntry, TranscriptInput } from "./transcripts/index.ts";

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
};

export type SessionExport = {
  readonly format: ExportFormat;
  /** Leaves secrets in; has to be asked for each time. */
  readonly isPlain: boolean;
  readonly withoutToolOutput: boolean;
  readonly withoutReasoning: boolean;
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
}

export function createSessionFiles(parts: SessionFilesParts): SessionFiles {
  const { store, holder } = parts;
  return {
    async export(summary, { isPlain, ...options }) {
      const { createExportRedactor, exportSession } = await import("./transcripts/index.ts");
      const secrets = readSecrets(parts.home);
      if (!secrets.ok) return { ok: false, failure: refused(secrets.sentence) };
      const { redact, environment } = parts;
      const redactor = createExportRedactor({ redact, environment, secrets: secrets.entries });
      if (!redactor.ok) return { ok: false, failure: refused(redactor.sentence) };
      const records: FactRecord[] = [];
      for await (const record of store.read(summary.sessionId, 0)) records.push(record);
      const view = collectView(summary.sessionId, records);
      const leafId = view.session?.leafId;
      const pieces = exportSession(
        {
          summary,
          records: store.read(summary.sessionId, 0),
          rows: store.rows(summary.sessionId),
          messages: messagesOf(view),
          ...(leafId !== undefined && { leafId }),
          kedgeVersion: parts.kedgeVersion,
        },
        { ...options, redact: isPlain ? "none" : redactor.redact },
      );
      return { ok: true, pieces };
    },
    async import(input, model) {
      const { importSession } = await import("./transcripts/index.ts");
      const { newId, newRequestId, now, directory, projectId, kedgeVersion } = parts;
      const place = { directory, projectId, model, kedgeVersion, boot: holder.boot };
      const read = await importSession(input, { newId, newRequestId, now, ...place });
      if (!read.ok) return { ok: false, failure: refused(read.sentence) };
      const sessionId = newId("ses_");
      const lease = await store.acquireLease(sessionId, holder);
      if (!lease.ok) return { ok: false, failure: refused("The new session could not be opened.") };
      const { facts, times, report } = read;
      await store.append(sessionId, facts, { boot: holder.boot, durable: true, times });
      await store.releaseLease(sessionId, holder.boot);
      return { ok: true, sessionId, report };
    },
  };
}

function refused(message: string): Failure {
  return { code: "invalid_command", message, retryable: false };
}

type Secrets =
  | { readonly ok: true; readonly entries: readonly SecretEntry[] }
  | { readonly ok: false; readonly sentence: string };

/** The user's own list. Going on without it would let out what it names, so a list that cannot be read stops the export. */
export function readSecrets(home: string): Secrets {
  const path = ["secrets.json", "secrets.yml", "secrets.yaml"].map((name) => join(home, name)).find(existsSync);
  if (path === undefined) return { ok: true, entries: [] };
  try {
    // JSON is YAML; other YAML is not read.
    const list: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (Array.isArray(list) && list.every(isSecretEntry)) return { ok: true, entries: list };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { ok: false, sentence: `${path} must be a JSON list of {"type": "plain" or "regex", "content": "…"}.` };
}

function isSecretEntry(value: unknown): value is SecretEntry {
  return (
    isJsonObject(value) &&
    (value["type"] === "plain" || value["type"] === "regex") &&
    typeof value["content"] === "string" &&
    ["replacement", "flags"].every((name) => value[name] === undefined || typeof value[name] === "string")
  );
}
