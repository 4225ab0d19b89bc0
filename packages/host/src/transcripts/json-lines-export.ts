/** The transcript: one object per line, each naming the one before it. Other programs read it; kedge does not. */
import { type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import type { PreparedExport } from "./export-source.ts";
import { parseObject } from "./journal-row.ts";

type LineType = "user" | "assistant" | "system" | "tool_result" | "boundary" | "summary";

type Line = { readonly uuid: string; readonly time: number; readonly type: LineType; readonly message: unknown };

type ToolPart = Extract<PartView, { type: "tool" }>;

export async function* writeJsonLines(prepared: PreparedExport): AsyncGenerator<string> {
  const { summary, gitBranch, kedgeVersion, messages } = prepared;
  /** The last line of each message, to which the lines of the next one are linked. */
  const lastLines = new Map<string, string>();
  for await (const message of messages) {
    if (message.isQueued) continue;
    let parentUuid = lastLines.get(message.treeParent ?? "") ?? null;
    for (const { uuid, time, type, message: body } of linesOf(message)) {
      const place = { sessionId: summary.sessionId, time: new Date(time).toISOString(), cwd: summary.directory };
      const parent = summary.parentId === undefined ? {} : { parentSessionID: summary.parentId };
      const origin = { ...parent, gitBranch: gitBranch ?? "", version: kedgeVersion };
      yield `${JSON.stringify({ uuid, parentUuid, ...place, ...origin, type, message: body })}\n`;
      parentUuid = uuid;
    }
    if (parentUuid !== null) lastLines.set(message.id, parentUuid);
  }
}

function linesOf(message: MessageView): readonly Line[] {
  const { id, role, parts, createdAt, model, usage, stopReason } = message;
  const content = parts.flatMap(blocksOf);
  const spoken: Line = {
    uuid: id,
    time: createdAt,
    type: typeOf(message),
    message: {
      role,
      content,
      ...(model !== undefined && { model }),
      ...(stopReason !== undefined && { stopReason }),
      ...(usage !== undefined && { usage }),
    },
  };
  const boundaries = parts.flatMap((part) => (part.type === "compaction" ? [boundaryLine(part)] : []));
  const results = parts.flatMap((part) => (part.type === "tool" ? resultLines(part) : []));
  return [...boundaries, ...(content.length > 0 ? [spoken] : []), ...results];
}

function typeOf({ role, isSummary, parts }: MessageView): LineType {
  if (isSummary) return "summary";
  if (role === "assistant") return "assistant";
  const texts = parts.filter((part) => part.type === "text");
  return texts.length > 0 && texts.every((part) => part.isSynthetic) ? "system" : "user";
}

function blocksOf(part: PartView): readonly unknown[] {
  switch (part.type) {
    case "text":
      return withoutPlaceholder(part.text) === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return withoutPlaceholder(part.text) === "" ? [] : [{ type: "thinking", thinking: part.text }];
    case "tool": {
      const { state } = part;
      const text = state.status === "pending" ? state.raw : state.input;
      return [{ type: "tool_use", id: part.callId, name: part.tool, input: parseObject(text) ?? { input: text } }];
    }
    case "file": {
      const { name, mediaType, base64 } = part.media;
      return [{ type: "file", name, source: { type: "base64", media_type: mediaType, data: base64 } }];
    }
    case "compaction":
    case "subtask":
    case "snapshot":
    case "patch":
    case "agent":
    case "retry":
    case "step-start":
    case "step-finish":
      return [];
  }
}

function boundaryLine(part: Extract<PartView, { type: "compaction" }>): Line {
  const { id, messageId: _, time, type: __, ...boundary } = part;
  return { uuid: id, time, type: "boundary", message: boundary };
}

function resultLines({ id, callId, state, time }: ToolPart): readonly Line[] {
  if (state.status !== "completed" && state.status !== "error") return [];
  const isError = state.status === "error";
  const result = { type: "tool_result", tool_use_id: callId, content: isError ? state.error : state.output };
  const message = { role: "user", content: [{ ...result, ...(isError && { is_error: true }) }] };
  return [{ uuid: id, time: state.endedAt ?? time, type: "tool_result", message }];
}
