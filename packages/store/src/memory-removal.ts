/** Removes content from the store in memory: payloads, and whole sessions with the blobs that only they name. */
import type { AppendOptions, AppendOutcome, Fact, Store } from "@kedge/protocol";
import type { StoredRow } from "./chain.ts";
import type { MemoryBlobs } from "./memory-blobs.ts";
import type { MemorySession, MemorySignatures } from "./memory-signatures.ts";
import { chainClosed, projectJournalId } from "./project-journal.ts";
import { projectRows } from "./projection.ts";
import { supersededSteps } from "./superseded-steps.ts";

export type MemoryRemovalParts = {
  readonly sessions: ReadonlyMap<string, MemorySession>;
  readonly blobs: MemoryBlobs;
  readonly signatures: MemorySignatures;
  readonly append: (sessionId: string, facts: readonly Fact[], by: Pick<AppendOptions, "boot">) => AppendOutcome;
  /** What was derived from the session has to be rebuilt. */
  readonly onRemoved: (sessionId: string) => void;
};

type Says = Parameters<Store["removeContent"]>[2] & { readonly last: readonly Fact[] };

export function createMemoryRemoval(
  parts: MemoryRemovalParts,
): Pick<Store, "removeContent" | "deleteSession" | "thin"> {
  const { sessions, blobs, signatures, append } = parts;

  function remove(sessionId: string, digests: ReadonlySet<string>, says: Says): AppendOutcome {
    const { reason, by, boot, last } = says;
    const rows = sessions.get(sessionId)?.rows ?? [];
    const present = rows.filter((row) => isPresent(row, digests)).flatMap(({ digest }) => digest ?? []);
    const removed: Fact = { type: "content.removed", digests: present, reason, by };
    const outcome = append(sessionId, [...(present.length === 0 ? [] : [removed]), ...last], { boot });
    const session = sessions.get(sessionId);
    if (!outcome.ok || session === undefined) return outcome;
    session.rows = session.rows.map((row) => (isPresent(row, digests) ? withoutPayload(row, says.replacements) : row));
    // A title taken from a removed prompt must go with it.
    session.summary = projectRows(sessionId, session.rows) ?? session.summary;
    parts.onRemoved(sessionId);
    signatures.sign(sessionId);
    return outcome;
  }

  return {
    removeContent: async (sessionId, digests, why) => remove(sessionId, new Set(digests), { ...why, last: [] }),
    async deleteSession(sessionId, { by, boot }) {
      const session = sessions.get(sessionId);
      if (session === undefined || session.isDeleted) return append(sessionId, [], { boot });
      const named = blobs.namedBy(sessionId);
      const digests = new Set(session.rows.flatMap((row) => row.digest ?? []));
      const last: readonly Fact[] = [{ type: "session.deleted", by }];
      const outcome = remove(sessionId, digests, { reason: "the session was deleted", by, boot, last });
      const left = sessions.get(sessionId);
      if (!outcome.ok || left === undefined) return outcome;
      left.isDeleted = true;
      const journalId = projectJournalId(left.summary.projectId);
      append(journalId, [chainClosed(sessionId, left.head)], { boot });
      signatures.sign(journalId);
      blobs.dropUnnamed(named);
      return outcome;
    },
    async thin(sessionId, { by, boot }) {
      const rows = sessions.get(sessionId)?.rows ?? [];
      const digests = supersededSteps(
        rows.map(({ type, data, digest }) => ({ type, stepId: JSON.parse(data).stepId, digest })),
      );
      const contents = rows.flatMap((row) =>
        isPresent(row, digests) ? (row.payload?.content ?? row.replacement ?? []) : [],
      );
      const bytesFreed = contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0);
      if (bytesFreed === 0) return { ok: true, bytesFreed };
      const outcome = remove(sessionId, digests, { reason: "the whole answer is stored", by, boot, last: [] });
      return outcome.ok ? { ok: true, bytesFreed } : outcome;
    },
  };
}

function isPresent(row: StoredRow, digests: ReadonlySet<string>): boolean {
  const content = row.payload?.content ?? row.replacement;
  return row.digest !== undefined && content !== undefined && digests.has(row.digest);
}

function withoutPayload(row: StoredRow, replacements: ReadonlyMap<string, string> | undefined): StoredRow {
  const { replacement: _, ...bare } = row;
  const replacement = row.digest === undefined ? undefined : replacements?.get(row.digest);
  return { ...bare, payload: undefined, ...(replacement !== undefined && { replacement }) };
}
