/** Living with many sessions: what keeps them in order by itself, and what a person asks for. */
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { FailureError, type LeaseHolder, type SnapshotCleanup, type Store } from "@kedge/protocol";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import { replaceFile } from "../machine/replace-file.ts";
import type { PruneReport, PruneWish } from "./prune-sessions.ts";
import type { RetentionSettings } from "./retention-settings.ts";
import type { Scrubbed, ScrubWish } from "./scrub-session.ts";
import { removeSessionPlace, type SnapshotsOf, treesOf } from "./session-place.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const sessionsMax = 100_000;

export type RetentionParts = {
  readonly store: Store;
  readonly holder: LeaseHolder;
  readonly home: Home;
  readonly project: Project;
  readonly snapshots: SnapshotCleanup;
  /** Of another workspace; undefined when there is none any more. */
  readonly snapshotsOf: SnapshotsOf;
  readonly now: () => number;
  readonly redact: (text: string) => string;
  readonly settings: RetentionSettings | undefined;
  readonly onNotice: (sentence: string) => void;
  /** Writes those transcripts again that are kept of the session. */
  readonly rewriteTranscripts: (sessionId: string) => Promise<void>;
};

export interface Retention {
  /** Each session is answered for by itself; stops before the first when the list of secrets cannot be read. */
  scrub(sessionIds: readonly string[], wish: Pick<ScrubWish, "isDryRun">): Promise<readonly Scrubbed[]>;
  /** Deletes what is asked for, and what the settings ask for when nothing is. */
  prune(wish: Omit<PruneWish, "isThorough">): Promise<PruneReport>;
  sessionDeleted(sessionId: string): Promise<void>;
  /** What the settings ask for, at most once a day; nothing without them. */
  enforce(): Promise<void>;
}

export function createRetention(parts: RetentionParts): Retention {
  const { store, holder, home, project, now, settings } = parts;
  const artifactsDirectory = join(home.data, "tool-output");
  const fromSettings = {
    ...(settings?.days !== undefined && { olderThanDays: settings.days }),
    ...(settings?.sizeBytesMax !== undefined && { sizeBytesMax: settings.sizeBytesMax }),
  };

  function snapshotsOf(directory: string, projectId: string): SnapshotCleanup | undefined {
    const isHere = projectId === project.projectId && isWithin(project.root, directory);
    return isHere ? parts.snapshots : parts.snapshotsOf(directory, projectId);
  }

  const sessionDeleted = (sessionId: string) =>
    removeSessionPlace(sessionId, { store, home: home.directory, artifactsDirectory, snapshotsOf });

  /** A process that was killed pinned nothing; so each session that changed since the last time is read once more. */
  async function pinnedSnapshots(): Promise<SnapshotCleanup> {
    const folder = join(home.snapshots, project.projectId);
    const stamp = join(folder, "pinned");
    const begunAt = now();
    const updatedAfter = existsSync(stamp) ? Number(readFileSync(stamp, "utf8")) : 0;
    const filter = { projectId: project.projectId, updatedAfter, limit: sessionsMax };
    const archived = await store.sessions({ ...filter, isArchived: true });
    for (const { sessionId, directory } of [...(await store.sessions(filter)), ...archived]) {
      if (!isWithin(project.root, directory)) continue;
      for await (const { fact } of store.read(sessionId, 0)) {
        for (const tree of treesOf(fact)) await parts.snapshots.pin(tree, sessionId);
      }
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replaceFile(stamp, String(begunAt));
    return parts.snapshots;
  }

  const prune = async (wish: PruneWish) => {
    const { pruneSessions } = await import("./prune-sessions.ts");
    const places = { home: home.directory, artifactsDirectory };
    return pruneSessions({ store, holder, now, ...places, pinnedSnapshots, sessionDeleted }, wish);
  };

  return {
    async scrub(sessionIds, { isDryRun }) {
      const { scrubSession } = await import("./scrub-session.ts");
      const { secretsRedactor } = await import("./secrets-redactor.ts");
      const redactor = await secretsRedactor(home.directory, parts.redact);
      if (!redactor.ok) return [{ ok: false, sessionId: "", failure: redactor.failure }];
      const isMany = sessionIds.length > 1;
      const results: Scrubbed[] = [];
      for (const sessionId of sessionIds) {
        const scrub = { store, holder, redact: redactor.redact, artifactsDirectory };
        const scrubbed = await scrubSession(sessionId, scrub, { isDryRun, ...(isMany && { isOneOfMany: true }) });
        results.push(scrubbed);
        // They were redacted by what was known when they were written.
        if (scrubbed.ok && !isDryRun) await parts.rewriteTranscripts(sessionId);
      }
      if (isMany && !isDryRun) await store.collectGarbage({ graceMs: dayMs, isDryRun });
      return results;
    },
    prune(wish) {
      const { olderThanDays, keep, isArchived } = wish;
      const isAskedFor = olderThanDays !== undefined || keep !== undefined || isArchived === true;
      return prune({ ...wish, ...(isAskedFor ? {} : fromSettings), isThorough: true });
    },
    sessionDeleted,
    async enforce() {
      if (settings === undefined) return;
      const stamp = join(home.data, "retention-enforced");
      const last = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (now() - last < dayMs) return;
      // First, so that a process that starts meanwhile does not do the same.
      replaceFile(stamp, "");
      try {
        const { deleted } = await prune({ ...fromSettings, isDryRun: false, isThorough: false });
        if (deleted.length > 0)
          parts.onNotice(
            `Deleted ${deleted.length === 1 ? "1 session" : `${deleted.length} sessions`} (setting retention).`,
          );
      } catch (error) {
        // The run that just ended is stored; whoever comes tomorrow tries again.
        if (!(error instanceof FailureError)) throw error;
        parts.onNotice(`Could not delete old sessions: ${error.failure.message}`);
      }
    },
  };
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
