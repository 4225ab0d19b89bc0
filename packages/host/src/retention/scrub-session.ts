/** Takes secrets out of a stored session: what holds one is removed, and a redacted text stands in its place. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Failure, isJsonObject, type LeaseHolder, type Store } from "@kedge/protocol";
import { replaceFile } from "../machine/replace-file.ts";
import { redactValue } from "../transcripts/prepare-export.ts";

export type ScrubParts = {
  readonly store: Store;
  readonly holder: LeaseHolder;
  readonly redact: (text: string) => string;
  /** With one folder per session. */
  readonly artifactsDirectory: string;
};

export type ScrubCount = { readonly sessionId: string; readonly contents: number; readonly files: number };

export type Scrubbed =
  | ({ readonly ok: true } & ScrubCount)
  | { readonly ok: false; readonly sessionId: string; readonly failure: Failure };

export type ScrubWish = {
  /** Only counts. */
  readonly isDryRun: boolean;
  /** More sessions follow, and `collectGarbage` after them. */
  readonly isOneOfMany?: true;
};

export async function scrubSession(sessionId: string, parts: ScrubParts, wish: ScrubWish): Promise<Scrubbed> {
  const { store, holder } = parts;
  const folder = join(parts.artifactsDirectory, sessionId);
  if (wish.isDryRun) {
    const contents = (await findSecrets(sessionId, parts)).size;
    return { ok: true, sessionId, contents, files: changedFiles(folder, parts.redact).size };
  }
  const lease = await store.acquireLease(sessionId, holder);
  if (!lease.ok) return { ok: false, sessionId, failure: inUse(sessionId, lease.holder) };
  try {
    // Looked for by the only writer, so that nothing comes in between.
    const replacements = await findSecrets(sessionId, parts);
    const many = wish.isOneOfMany ? { isOneOfMany: wish.isOneOfMany } : {};
    const why = { reason: "it held a secret", by: "user", boot: holder.boot, replacements, ...many };
    const removed =
      replacements.size === 0 ? undefined : await store.removeContent(sessionId, [...replacements.keys()], why);
    if (removed?.ok === false) return { ok: false, sessionId, failure: inUse(sessionId, removed.holder) };
    const files = changedFiles(folder, parts.redact);
    for (const [path, text] of files) {
      // A file that other sessions read under the same number is changed for all of them.
      if (statSync(path).nlink > 1) writeFileSync(path, text);
      else replaceFile(path, text);
    }
    return { ok: true, sessionId, contents: replacements.size, files: files.size };
  } finally {
    await store.releaseLease(sessionId, holder.boot);
  }
}

/** By digest: the fields of each content in which the redactor finds something, as they read without it. */
async function findSecrets(sessionId: string, { store, redact }: ScrubParts): Promise<ReadonlyMap<string, string>> {
  const replacements = new Map<string, string>();
  const withoutHistory = new Map<string, string>();
  for await (const { digest, payload } of store.rows(sessionId)) {
    if (digest === undefined || payload === undefined) continue;
    const fields = parseFields(payload.content);
    if (fields === undefined) continue;
    const redacted = JSON.stringify(redactValue(fields, redact));
    if (redacted !== JSON.stringify(fields)) replacements.set(digest, redacted);
    if ("vendorHistory" in fields) {
      const { vendorHistory: _, ...rest } = fields;
      withoutHistory.set(digest, JSON.stringify(redactValue(rest, redact)));
    }
  }
  // What a vendor sealed cannot be looked into, so it goes with the first secret; the summary beside it stays.
  return replacements.size === 0 ? replacements : new Map([...replacements, ...withoutHistory]);
}

/** Undefined for a damaged content, which nobody can read either; verify tells of it. */
function parseFields(content: string): object | undefined {
  try {
    const fields: unknown = JSON.parse(content);
    return isJsonObject(fields) ? fields : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function changedFiles(folder: string, redact: (text: string) => string): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const redacted = redact(text);
    if (redacted !== text) changed.set(path, redacted);
  }
  return changed;
}

function inUse(sessionId: string, holder: LeaseHolder | undefined): Failure {
  const who = holder === undefined ? "another kedge process" : `another kedge process (pid ${holder.pid})`;
  const message = `Session ${sessionId} is in use by ${who}.`;
  return { code: "session_busy", message, recovery: "Close the other process and try again.", retryable: true };
}
