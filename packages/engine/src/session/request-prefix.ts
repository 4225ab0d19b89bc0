/** What the next request of a session begins with, for one that continues from there. */
import type { RequestPrefix } from "@kedge/protocol";
import type { SessionParts } from "./session-parts.ts";

type Parts = Pick<SessionParts, "engine" | "journal" | "newMessages" | "frameFor">;

/** As it is when it is asked for: what the session does meanwhile is not in it, and its own list is left alone. */
export async function requestPrefixOf({
  engine,
  journal,
  newMessages,
  frameFor,
}: Parts): Promise<RequestPrefix | undefined> {
  const { sessionId, model, items } = journal.state;
  const shown = [...items];
  const found = await engine.models.find(model);
  if (!found.ok) return undefined;
  const { system, tools } = frameFor(found.model);
  return { conversationId: sessionId, ...system, tools, messages: newMessages().all({ items: shown }) };
}
