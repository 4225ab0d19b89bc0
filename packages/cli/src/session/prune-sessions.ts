/** `kedge session prune`: gives back room that sessions no longer need, and deletes those that were asked for. */

import { bytesText, type PruneReport } from "@kedge/host";
import { stripTerminalControls } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { localTimeText } from "../text-table.ts";
import { pruneTexts } from "../texts/sessions.ts";
import type { ManySessions } from "./session-action.ts";

/** Of this project, or with `--all` of every one. Deleting needs `--yes`; without it this only says what would go. */
export const pruneSessions: ManySessions = async ({ started, flags }) => {
  const { olderThan, keep, archived } = flags;
  const deletes = olderThan !== undefined || keep !== undefined || archived === true;
  const isDryRun = flags.dryRun === true || (deletes && flags.yes !== true);
  const report = await started.kedge.retention.prune({
    ...(flags.all ? {} : { projectId: started.projectId }),
    ...(olderThan !== undefined && { olderThanDays: olderThan }),
    ...(keep !== undefined && { keep }),
    ...(archived && { isArchived: true }),
    isDryRun,
  });
  if (flags.json) writeResult(`${JSON.stringify(report)}\n`);
  else writeResult(reportText(report));
  if (isDryRun && flags.dryRun !== true && report.deleted.length > 0 && !flags.json) {
    writeDiagnostic(pruneTexts.nothingDeleted);
  }
  return exitCodes.success;
};

function reportText(report: PruneReport): string {
  const { isDryRun, deleted, inUse, thinned, garbage, artifacts, transcripts, snapshots } = report;
  const bytesFreed = [thinned, garbage, artifacts, transcripts, snapshots].reduce(
    (sum, part) => sum + part.bytesFreed,
    0,
  );
  const lines = [
    ...deleted.map(({ sessionId, title, updatedAt }) => {
      const name = stripTerminalControls(title).replaceAll(/\s+/g, " ");
      return (isDryRun ? pruneTexts.wouldDelete : pruneTexts.deleted)(sessionId, localTimeText(updatedAt), name);
    }),
    ...inUse.map((sessionId) => pruneTexts.inUse(sessionId)),
    thinned.sessions > 0
      ? (isDryRun ? pruneTexts.oldSnapshots : pruneTexts.removedSnapshots)(
          thinned.sessions,
          bytesText(thinned.bytesFreed),
        )
      : "",
    garbage.files > 0 ? (isDryRun ? pruneTexts.unusedFiles : pruneTexts.removedFiles)(garbage.files) : "",
    artifacts.folders > 0 ? pruneTexts.outputOfDeleted(artifacts.folders) : "",
    transcripts.files > 0 ? pruneTexts.transcriptsOfDeleted(transcripts.files) : "",
    snapshots.kind === "failed" ? pruneTexts.snapshotsKept(stripTerminalControls(snapshots.why)) : "",
    (isDryRun ? pruneTexts.wouldFree : pruneTexts.freed)(bytesText(bytesFreed)),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}
