/** `kedge session prune`: gives back room that sessions no longer need, and deletes those that were asked for. */

import { bytesText, type PruneReport } from "@kedge/host";
import { counted, stripTerminalControls } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { localTimeText } from "../text-table.ts";
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
    writeDiagnostic("Nothing was deleted. Pass --yes to delete permanently.");
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
      return `${isDryRun ? "would delete" : "deleted"}  ${sessionId}  ${localTimeText(updatedAt)}  ${name}`;
    }),
    ...inUse.map((sessionId) => `in use       ${sessionId}`),
    thinned.sessions > 0
      ? `${isDryRun ? "Old snapshots" : "Removed old snapshots"} of ${counted(thinned.sessions, "session")}: ${bytesText(thinned.bytesFreed)}.`
      : "",
    garbage.files > 0 ? `${isDryRun ? "Unused files" : "Removed unused files"}: ${garbage.files}.` : "",
    artifacts.folders > 0 ? `Output of deleted sessions: ${artifacts.folders}.` : "",
    transcripts.files > 0 ? `Transcripts of deleted sessions: ${transcripts.files}.` : "",
    snapshots.kind === "failed" ? `Snapshots were not touched: ${stripTerminalControls(snapshots.why)}` : "",
    `${isDryRun ? "Would free" : "Freed"} ${bytesText(bytesFreed)}.`,
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}
