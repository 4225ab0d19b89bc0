/** The rows of a message: its parts in order, with calls that only looked at something folded together. */
import type { MessageView, PartView } from "@kedge/protocol";
import * as texts from "../texts/parts.ts";
import type { Look } from "./look.ts";
import { displayOf } from "./tool-card.ts";
import type { GroupedCall } from "./tool-group.ts";

export type MessageRow =
  | { readonly kind: "part"; readonly key: string; readonly part: PartView }
  | { readonly kind: "group"; readonly key: string; readonly calls: readonly GroupedCall[] }
  /** Everything that the user said with the message. */
  | { readonly kind: "prompt"; readonly key: string }
  | { readonly kind: "record"; readonly key: string; readonly label: string; readonly text: string };

export function messageRows(message: MessageView, look: Look): readonly MessageRow[] {
  if (message.role === "user") return userRows(message);
  if (message.isSummary) return [{ kind: "record", key: message.id, label: texts.summary, text: textOf(message) }];
  return groupCalls(message.parts, look);
}

function userRows(message: MessageView): readonly MessageRow[] {
  const { id: key, parts } = message;
  const compaction = parts.find((part) => part.type === "compaction");
  if (compaction !== undefined) return [{ kind: "part", key: compaction.id, part: compaction }];
  const [record] = parts;
  const isRecord = parts.every((part) => part.type !== "text" || part.isSynthetic === true);
  if (!isRecord || record?.type !== "text") return [{ kind: "prompt", key }];
  return [{ kind: "record", key, label: texts.note, text: record.text }];
}

function textOf({ parts }: MessageView): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

const joinedMin = 2;

function groupCalls(parts: readonly PartView[], look: Look): readonly MessageRow[] {
  const rows: MessageRow[] = [];
  let calls: GroupedCall[] = [];
  const close = () => {
    const counted = calls.filter(({ display }) => display.groupNoun !== undefined);
    const first = calls[0]?.part;
    if (first !== undefined && counted.length >= joinedMin)
      rows.push({ kind: "group", key: `group ${first.id}`, calls });
    else for (const { part } of counted.length > 0 ? counted : calls) rows.push({ kind: "part", key: part.id, part });
    calls = [];
  };
  for (const part of parts) {
    if (isUnseen(part)) continue;
    const display = part.type === "tool" ? displayOf(part, look) : undefined;
    if (part.type === "tool" && display?.isQuiet) {
      calls.push({ part, display });
      continue;
    }
    close();
    rows.push({ kind: "part", key: part.id, part });
  }
  close();
  return rows;
}

function isUnseen({ type }: PartView): boolean {
  return type === "snapshot" || type === "step-start" || type === "step-finish";
}
