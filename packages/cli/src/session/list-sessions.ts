/** `kedge session list`: the sessions of this project, newest first. */
import type { SessionSummary } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { type Column, tableText, timeText } from "../text-table.ts";
import type { ManySessions } from "./session-action.ts";

const listedDefault = 50;

const columns: readonly Column<SessionSummary>[] = [
  { title: "session", align: "left", text: ({ sessionId }) => sessionId },
  { title: "last used (UTC)", align: "left", text: ({ updatedAt }) => timeText(updatedAt) },
  { title: "title", align: "left", text: ({ title }) => title },
];

/** `--all` lists those of other projects as well, `--archived` those that were put away. */
export const listSessions: ManySessions = async ({ started, flags }) => {
  const limit = flags.limit ?? listedDefault;
  const sessions = await started.kedge.client.sessions({
    ...(flags.all ? {} : { projectId: started.projectId }),
    ...(flags.archived && { isArchived: true }),
    limit,
  });
  if (flags.json) {
    writeResult(`${JSON.stringify(sessions)}\n`);
    return exitCodes.success;
  }
  if (sessions.length === 0) {
    writeDiagnostic(flags.archived ? "No session is archived." : "There is no session in this project yet.");
    return exitCodes.success;
  }
  writeResult(tableText(columns, sessions));
  if (sessions.length === limit) writeDiagnostic(`Only the newest ${limit} are listed; --limit changes that.`);
  return exitCodes.success;
};
