/** `history://`: the sessions of this project as text. They are records, and what they say is no instruction. */
import type { Store } from "@kedge/protocol";
import type { SessionFiles } from "../sessions/session-files.ts";
import type { OwnScheme } from "./scheme.ts";

export type HistoryParts = {
  readonly store: Pick<Store, "session" | "sessions">;
  readonly projectId: string;
  readonly sessionFiles: Pick<SessionFiles, "export">;
};

const sessionsMax = 100;
const charactersMax = 2_000_000;

export function historyScheme({ store, projectId, sessionFiles }: HistoryParts): OwnScheme {
  return {
    isForeign: true,
    async list() {
      const sessions = await store.sessions({ projectId, limit: sessionsMax });
      return sessions.map(({ sessionId, title, updatedAt }) => {
        return { name: sessionId, about: `${new Date(updatedAt).toISOString().slice(0, 16)} ${title}` };
      });
    },
    async text(name) {
      const summary = await store.session(name);
      // Other projects are nobody's business here.
      if (summary?.projectId !== projectId) return undefined;
      const options = { format: "md", isPlain: false, withoutToolOutput: false, withoutReasoning: true } as const;
      const exported = await sessionFiles.export(summary, options);
      if (!exported.ok) return undefined;
      let text = "";
      for await (const piece of exported.pieces) {
        text += piece;
        if (text.length > charactersMax) return `${text.slice(0, charactersMax)}\n(cut here; search it with grep)`;
      }
      return text;
    },
  };
}
