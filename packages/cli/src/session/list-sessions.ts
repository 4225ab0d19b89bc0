/** `kedge session list`: the sessions of this project, newest first, and what each is doing. */
import { isChild, readStatuses } from "@kedge/host";
import type { SessionFilter, SessionStatus, SessionSummary } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { isEmpty } from "../opening/find-session.ts";
import type { Started } from "../opening/start-kedge.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { type Column, localTimeText, tableText } from "../text-table.ts";
import { listTexts } from "../texts/sessions.ts";
import type { ManySessions } from "./session-action.ts";

const listedDefault = 50;

type Listed = SessionSummary & { readonly status: SessionStatus["state"] };

const columns: readonly Column<Listed>[] = [
  { title: listTexts.session, align: "left", text: ({ sessionId }) => sessionId },
  { title: listTexts.lastUsed, align: "left", text: ({ updatedAt }) => localTimeText(updatedAt) },
  { title: listTexts.status, align: "left", text: ({ status }) => status },
  { title: listTexts.title, align: "left", text: ({ title }) => title },
];

/**
 * `--all` lists those of other projects as well, `--archived` those that were put away, `--children` also those that
 * others started, `--parent` only what came from one session.
 */
export const listSessions: ManySessions = async ({ started, flags }) => {
  const limit = flags.limit ?? listedDefault;
  const filter = {
    ...(flags.all ? {} : { projectId: started.projectId }),
    ...(flags.archived && { isArchived: true }),
    ...(flags.parent !== undefined && { parentId: flags.parent }),
    limit,
  };
  const withChildren = flags.children === true || flags.parent !== undefined;
  const found = await usedSessions(started, filter, { withChildren });
  const statuses = await readStatuses(started.kedge.store);
  const sessions = found.map((session): Listed => ({ ...session, status: statuses.get(session.sessionId) ?? "idle" }));
  if (flags.json) {
    writeResult(`${JSON.stringify(sessions)}\n`);
    return exitCodes.success;
  }
  if (sessions.length === 0) {
    writeDiagnostic(flags.archived ? listTexts.noneArchived : listTexts.noneYet);
    return exitCodes.success;
  }
  writeResult(tableText(columns, sessions));
  if (sessions.length === limit) writeDiagnostic(listTexts.newestOnly(limit));
  return exitCodes.success;
};

/** Those in which something was said. Page by page, because only the first fact of a session says what it is. */
async function usedSessions(
  { kedge }: Started,
  filter: SessionFilter,
  { withChildren }: { readonly withChildren: boolean },
): Promise<readonly SessionSummary[]> {
  const kept: SessionSummary[] = [];
  let after: SessionFilter["after"];
  while (true) {
    const page = await kedge.client.sessions({ ...filter, ...(after !== undefined && { after }) });
    for (const session of page) {
      if (!isEmpty(session) && (withChildren || !(await isChild(session, kedge.store)))) kept.push(session);
      if (kept.length === filter.limit) return kept;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < filter.limit) return kept;
    after = { updatedAt: last.updatedAt, sessionId: last.sessionId };
  }
}
