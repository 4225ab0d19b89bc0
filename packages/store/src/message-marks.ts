/** Remembers a session's messages by their digests, so that all of them can be compared while few are kept in memory. */
import { hash } from "node:crypto";
import { canonicalJson, type MessageRow, type MessageView, type PartView, type ViewChange } from "@kedge/protocol";

/** While a message is among so many new ones it is kept whole, because most of what changes it is still to come. */
const wholeMax = 4;

type PartMark = {
  readonly digest: string;
  /** Only a completed call can be marked as no longer shown to the model. */
  readonly isCompleted: boolean;
  readonly compactedAt: number | undefined;
};

type MessageMark = { row: MessageRow | string; readonly parts: Map<string, PartView | PartMark> };

export type MessageMarks = {
  take(change: ViewChange): void;
  /** In the order they were created. */
  messageIds(): string[];
  isSame(message: MessageView): boolean;
};

export function createMessageMarks(): MessageMarks {
  const messages = new Map<string, MessageMark>();
  const whole = new Set<string>();

  /** The mark of a message that is about to change. */
  function changing(messageId: string): MessageMark | undefined {
    whole.add(messageId);
    for (const oldest of whole) {
      if (whole.size <= wholeMax) break;
      whole.delete(oldest);
      const mark = messages.get(oldest);
      if (mark !== undefined) settle(mark);
    }
    return messages.get(messageId);
  }

  function clearOutput({ messageId, partId, compactedAt }: Extract<ViewChange, { kind: "output-cleared" }>): void {
    const parts = messages.get(messageId)?.parts;
    const part = parts?.get(partId);
    if (part === undefined) return;
    const mark = partMark(part);
    if (mark.isCompleted) parts?.set(partId, { ...mark, compactedAt });
  }

  return {
    take(change) {
      switch (change.kind) {
        case "message": {
          const { message } = change;
          const known = changing(message.id);
          if (known === undefined) messages.set(message.id, { row: message, parts: new Map() });
          else known.row = message;
          return;
        }
        case "part":
          changing(change.part.messageId)?.parts.set(change.part.id, change.part);
          return;
        case "message-removed":
          messages.delete(change.messageId);
          return;
        case "part-removed":
          messages.get(change.messageId)?.parts.delete(change.partId);
          return;
        case "output-cleared":
          clearOutput(change);
          return;
        // Whoever compares reads the records again, and so has what is left of them.
        case "session":
        case "refused":
        case "content-removed":
          return;
      }
    },
    messageIds: () => [...messages.keys()],
    isSame({ parts, ...row }) {
      const mark = messages.get(row.id);
      if (mark === undefined || mark.parts.size !== parts.length) return false;
      settle(mark);
      return mark.row === digestOf(row) && parts.every((part) => isSamePart(mark.parts.get(part.id), part));
    },
  };
}

function settle(mark: MessageMark): void {
  if (typeof mark.row !== "string") mark.row = digestOf(mark.row);
  for (const [id, part] of mark.parts) mark.parts.set(id, partMark(part));
}

function isSamePart(known: PartView | PartMark | undefined, part: PartView): boolean {
  if (known === undefined) return false;
  const [left, right] = [partMark(known), partMark(part)];
  return left.digest === right.digest && left.compactedAt === right.compactedAt;
}

/** What was cleared later is no part of the digest, so that clearing needs no text. */
function partMark(part: PartView | PartMark): PartMark {
  if ("digest" in part) return part;
  if (part.type !== "tool" || part.state.status !== "completed") {
    return { digest: digestOf(part), isCompleted: false, compactedAt: undefined };
  }
  const { compactedAt, ...state } = part.state;
  return { digest: digestOf({ ...part, state }), isCompleted: true, compactedAt };
}

function digestOf(value: unknown): string {
  return hash("sha256", canonicalJson(value));
}
