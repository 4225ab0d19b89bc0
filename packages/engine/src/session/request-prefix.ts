/** What the next request of a session begins with, for one that continues from there. */
import type { RequestPrefix } from "@kedge/protocol";
import { createMessages } from "../context/messages.ts";
import { harmless } from "../prompt-texts.ts";
import type { SessionParts } from "./session-parts.ts";

type Parts = Pick<SessionParts, "engine" | "journal" | "context" | "frameFor">;

/** As it is when it is asked for: what the session does meanwhile is not in it, and its own list is left alone. */
export async function requestPrefixOf({
  engine,
  journal,
  context,
  frameFor,
}: Parts): Promise<RequestPrefix | undefined> {
  const { sessionId, model, items } = journal.state;
  const shown = [...items];
  const found = await engine.models.find(model);
  if (!found.ok) return undefined;
  const { system, tools } = frameFor(found.model);
  const { neutralise = harmless, prefix } = engine;
  const before = prefix === undefined ? {} : { before: prefix.messages };
  const messages = createMessages({ opening: context.opening, neutralise, ...before });
  return { conversationId: sessionId, ...system, tools, messages: messages.all({ items: shown }) };
}
