/** Shows a stored conversation to an editor as the updates that it would have seen. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import {
  type Client,
  type Media,
  type MessageView,
  type PartView,
  type ToolPartState,
  withoutPlaceholder,
} from "@kedge/protocol";
import { viewCall, viewEnd } from "./call-view.ts";

/** Messages that are read at once; what is older comes with the next page. */
const pageMessages = 200;

/** Oldest first. */
export async function readHistory(client: Pick<Client, "messages">, sessionId: string): Promise<MessageView[]> {
  const pages: (readonly MessageView[])[] = [];
  let before: string | undefined;
  do {
    const page = await client.messages(sessionId, { limit: pageMessages, ...(before !== undefined && { before }) });
    pages.unshift(page.messages);
    before = page.before;
  } while (before !== undefined);
  return pages.flat();
}

export function historyUpdates(message: MessageView, cwd: string): readonly SessionUpdate[] {
  return message.parts.flatMap((part) => partUpdates(part, message, cwd));
}

function partUpdates(part: PartView, message: MessageView, cwd: string): readonly SessionUpdate[] {
  const isUser = message.role === "user";
  const chunk = (sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk", text: string) => {
    const shown = withoutPlaceholder(text);
    return shown === ""
      ? []
      : [{ sessionUpdate, content: { type: "text", text: shown }, messageId: message.id } as const];
  };
  switch (part.type) {
    case "text":
      // What kedge put in for the model was never shown.
      if (part.isSynthetic === true) return [];
      return chunk(isUser ? "user_message_chunk" : "agent_message_chunk", part.text);
    case "reasoning":
      return chunk("agent_thought_chunk", part.text);
    case "file":
      return isUser ? fileUpdates(part.media, message) : [];
    case "tool":
      return [toolUpdate(part, cwd)];
    default:
      return [];
  }
}

function fileUpdates({ base64, mediaType, name }: Media, { id }: MessageView): readonly SessionUpdate[] {
  const isPicture = mediaType.startsWith("image/");
  return [
    {
      sessionUpdate: "user_message_chunk",
      content: isPicture
        ? { type: "image", data: base64, mimeType: mediaType }
        : { type: "text", text: `[attached: ${name}]` },
      messageId: id,
    },
  ];
}

function toolUpdate(part: Extract<PartView, { type: "tool" }>, cwd: string): SessionUpdate {
  const { callId, tool, state } = part;
  const view = viewCall({ callId, tool, inputText: inputOf(state) }, cwd);
  const { locations } = view;
  switch (state.status) {
    case "pending":
    case "running":
      return { sessionUpdate: "tool_call", ...view, status: state.status === "running" ? "in_progress" : "pending" };
    case "completed": {
      const { output, metadata, attachments: media } = state;
      const end = viewEnd({ outcome: "completed", output, metadata, media }, { cwd, locations });
      return { sessionUpdate: "tool_call", ...view, ...end };
    }
    case "error": {
      const end = viewEnd({ outcome: "failed", output: state.error }, { cwd, locations });
      return { sessionUpdate: "tool_call", ...view, ...end };
    }
  }
}

function inputOf(state: ToolPartState): string {
  return state.status === "pending" ? state.raw : state.input;
}
