/** One part of a message as elements, from its data alone: the same in the app and in an exported page. */
import { type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import { h, type JSX } from "preact";
import * as texts from "../texts/parts.ts";
import type { Look } from "./look.ts";
import { Markdown } from "./markdown.ts";
import { AgentMark, CompactionMark, PatchMark, RetryMark, SubtaskMark } from "./marks.ts";
import { Attachment } from "./picture.ts";
import { Record as RecordedText, Thought } from "./said.ts";
import { ToolCard } from "./tool-card.ts";

export type DrawnPart = { readonly part: PartView; readonly message: MessageView; readonly look: Look };

export function drawPart({ part, message, look }: DrawnPart): JSX.Element | undefined {
  switch (part.type) {
    case "text": {
      const text = withoutPlaceholder(part.text);
      if (text === "") return undefined;
      return part.isSynthetic ? h(RecordedText, { label: texts.note, text, look }) : h(Markdown, { text, look });
    }
    case "reasoning":
      return h(Thought, { text: part.text, startedAt: part.time, endedAt: endOf(message, part) });
    case "tool":
      return h(ToolCard, { part, look });
    case "patch":
      return h(PatchMark, { files: part.files.filter(({ path }) => !isShownAsDiff(message, path)) });
    case "compaction":
      return h(CompactionMark, { part });
    case "retry":
      return h(RetryMark, { part });
    case "file":
      return h(Attachment, { media: part.media });
    case "subtask":
      return h(SubtaskMark, { part });
    case "agent":
      return h(AgentMark, { part });
    case "snapshot":
    case "step-start":
    case "step-finish":
      return undefined;
  }
}

/** When a part was over: the next one began, or the message ended. */
export function endOf(message: MessageView, part: PartView): number | undefined {
  const index = message.parts.findIndex(({ id }) => id === part.id);
  return message.parts[index + 1]?.time ?? message.completedAt;
}

/** The diff of an edit of the same message names the file already. */
function isShownAsDiff({ parts }: MessageView, path: string): boolean {
  return parts.some((part) => {
    const diff = part.type === "tool" && part.state.status === "completed" ? part.state.metadata?.["diff"] : undefined;
    return typeof diff === "string" && (diff.includes(`+++ b/${path}\n`) || diff.includes(`--- a/${path}\n`));
  });
}
