/** What became of a run, in the words of MCP. */
import type { FactOf } from "@kedge/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { RunTurn } from "./served-session.ts";

type Over = Exclude<RunTurn, { kind: "asks" }>;

/** The result of the one call that the run was made for. */
export function callResult(turn: Over, callId: string): CallToolResult {
  if (turn.kind === "failed") return errorResult(turn.failure.message);
  const ended = turn.calls.find((call) => call.callId === callId);
  if (ended === undefined) return errorResult(turn.result.failure?.message ?? "The call did not run.");
  return { content: contentOf(ended), ...(ended.outcome !== "completed" && { isError: true }) };
}

/** The last answer of the run, and what a client needs to continue. */
export function promptResult(turn: Over, sessionId: string): CallToolResult {
  if (turn.kind === "failed") return { ...errorResult(turn.failure.message), structuredContent: { sessionId } };
  const { reason, text, failure, turns, cost } = turn.result;
  const shown = text === "" ? (failure?.message ?? "The run ended without an answer.") : text;
  return {
    content: [{ type: "text", text: shown }],
    structuredContent: { sessionId, reason, turns, usd: cost.usd },
    ...(reason !== "completed" && { isError: true }),
  };
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function contentOf({ output, media = [] }: FactOf<"tool.ended">): CallToolResult["content"] {
  const pictures = media.filter(({ mediaType }) => mediaType.startsWith("image/"));
  return [
    { type: "text", text: output },
    ...pictures.map(({ base64, mediaType }) => ({ type: "image" as const, data: base64, mimeType: mediaType })),
  ];
}
