/** A message in one short line, for lists of messages. */

import type { MessageView, PartView } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { messageTexts } from "../../texts/dialogs.ts";

/** More of a long message than any list shows; it keeps the cleaning of long answers cheap. */
const charactersMax = 400;

/** Undefined for what nobody would look for: no words of a person, a model or a summary. */
export function messageText({ role, parts }: MessageView): string | undefined {
  const summary = parts.find((part) => part.type === "compaction");
  if (summary?.type === "compaction") return messageTexts.summary(lineOf(summary.shortSummary));
  const text = lineOf(parts.map(spoken).filter(Boolean).join(" "));
  if (text !== "") return text;
  const files = parts.filter(({ type }) => type === "file").length;
  return role === "user" && files > 0 ? messageTexts.attachments(files) : undefined;
}

/** What a message did that says nothing. */
export function workText({ parts }: MessageView): string {
  const tools = parts.flatMap((part) => (part.type === "tool" ? [part.tool] : []));
  return tools.length === 0 ? messageTexts.working : messageTexts.used(cleanLine([...new Set(tools)].join(", ")));
}

function spoken(part: PartView): string {
  return part.type === "text" && part.isSynthetic !== true ? part.text.slice(0, charactersMax) : "";
}

function lineOf(text: string): string {
  return cleanLine(text.slice(0, charactersMax));
}
