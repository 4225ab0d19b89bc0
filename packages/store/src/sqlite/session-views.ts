/** What the SQLite store shows of sessions: messages, pages and search, brought up to date before each answer. */
import type { Store } from "@kedge/protocol";
import { sessionOfRecords } from "../damaged-view.ts";
import type { CatchUp } from "./catch-up.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SqliteJournal } from "./sqlite-journal.ts";
import type { ViewQueries } from "./view-queries.ts";

export type SessionViewParts = {
  readonly journal: SqliteJournal;
  readonly catchUp: CatchUp;
  readonly queries: ViewQueries;
};

export function createSessionViews(
  connection: Connection,
  { journal, catchUp, queries }: SessionViewParts,
): Pick<Store, "catchUp" | "keptView" | "sessionView" | "messages" | "search"> {
  return {
    catchUp: (sessionId) => catchUp.session(sessionId),
    async keptView(sessionId) {
      return connection.read(() => {
        const entry = journal.find(sessionId);
        return entry && catchUp.keptView(sessionId, entry.key);
      });
    },
    async sessionView(sessionId) {
      await catchUp.session(sessionId);
      const entry = journal.find(sessionId);
      if (entry === undefined || entry.isDeleted) return undefined;
      const session = queries.session(entry.key);
      if (session !== "damaged") return session;
      const place = { sessionId, key: entry.key };
      return sessionOfRecords(
        sessionId,
        journal.records.each(() => place, 0),
      );
    },
    async messages(sessionId, page) {
      await catchUp.session(sessionId);
      return connection.read(() => {
        const entry = journal.find(sessionId);
        return entry === undefined ? { messages: [] } : queries.messages(sessionId, entry.key, page);
      });
    },
    async search(query) {
      await (query.sessionId === undefined ? catchUp.everything() : catchUp.session(query.sessionId));
      return connection.read(() => queries.search(query));
    },
  };
}
