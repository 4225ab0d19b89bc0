/** What a client makes of view events: the same messages and parts that a fold of the facts gives. */
import { collectChange, type PartView, type ViewCollection, type ViewEvent, type ViewEventOf } from "@kedge/protocol";

/** The collection must have begun empty, or with everything that the session shows. */
export function applyViewEvent(collection: ViewCollection, sessionId: string, event: ViewEvent): void {
  switch (event.type) {
    case "session.created":
    case "session.updated":
      collectChange(collection, { kind: "session", session: event.session });
      return;
    case "message.updated":
      collectChange(collection, { kind: "message", message: event.message });
      return;
    case "message.removed":
      collectChange(collection, { kind: "message-removed", messageId: event.messageId });
      return;
    case "message.part.updated":
      collectChange(collection, { kind: "part", sessionId, part: event.part });
      return;
    case "message.part.removed":
      collectChange(collection, { kind: "part-removed", messageId: event.messageId, partId: event.partId });
      return;
    case "message.part.delta":
      appendDelta(collection, event);
      return;
    // These change no message and no part.
    default:
      return;
  }
}

function appendDelta({ messages }: ViewCollection, event: ViewEventOf<"message.part.delta">): void {
  const parts = messages.get(event.messageId)?.parts;
  const part = parts?.get(event.partId);
  if (parts === undefined || part === undefined) return;
  parts.set(part.id, grown(part, event));
}

function grown(part: PartView, { field, delta }: ViewEventOf<"message.part.delta">): PartView {
  if (field === "text" && (part.type === "text" || part.type === "reasoning")) {
    return { ...part, text: part.text + delta };
  }
  if (field === "raw" && part.type === "tool" && part.state.status === "pending") {
    return { ...part, state: { ...part.state, raw: part.state.raw + delta } };
  }
  return part;
}
