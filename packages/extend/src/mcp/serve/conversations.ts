/** The sessions behind the prompts of a client: it continues those it knows; the oldest closes for one too many. */
import type { ServedSession } from "./served-session.ts";

const conversationsMax = 20;

export type Conversations = {
  readonly find: (sessionId: string) => ServedSession | undefined;
  readonly begin: () => Promise<ServedSession>;
  readonly list: () => readonly ServedSession[];
};

export function createConversations(open: () => Promise<ServedSession>): Conversations {
  const conversations = new Map<string, ServedSession>();
  return {
    find: (sessionId) => conversations.get(sessionId),
    async begin() {
      const [oldest] = conversations.values();
      if (conversations.size >= conversationsMax && oldest !== undefined) {
        conversations.delete(oldest.sessionId);
        await oldest.close();
      }
      const session = await open();
      conversations.set(session.sessionId, session);
      return session;
    },
    list: () => [...conversations.values()],
  };
}
