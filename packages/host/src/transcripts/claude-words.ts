/** The words of the Claude Agent SDK for what answers consist of: tools, inputs, models, reasons, usage. */
import { type Dialect, dialects } from "@kedge/extend/hooks";
import { type AssistantBlock, type JsonObject, parseCallInput, type StopReason, type Usage } from "@kedge/protocol";
import type { ClaudeBlock } from "./claude-stream-events.ts";

export const claude: Dialect = dialects.claude;

export function blockOf(block: AssistantBlock): readonly ClaudeBlock[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text, citations: null }];
    case "reasoning":
      return [{ type: "thinking", thinking: block.text, signature: "" }];
    case "tool-call": {
      const input = inputOf(block.tool, block.inputText);
      return [{ type: "tool_use", id: block.callId, name: toolName(block.tool), input }];
    }
    case "vendor":
      return [];
  }
}

export function toolName(tool: string): string {
  return claude.tools[tool] ?? tool;
}

/** With the names that the fields have there; an input that is no object shows none. */
export function inputOf(tool: string, inputText: string): JsonObject {
  const input = parseCallInput(inputText) ?? {};
  const names = claude.fields[tool] ?? {};
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [names[field] ?? field, value]));
}

export function modelIdOf(ref: string): string {
  return ref.slice(ref.indexOf("/") + 1);
}

export function stopReasonOf(reason: StopReason | undefined): string | null {
  switch (reason) {
    case "end":
      return "end_turn";
    case "tool-calls":
      return "tool_use";
    case "output-limit":
      return "max_tokens";
    case "refused":
      return "refusal";
    case "paused":
      return "pause_turn";
    case "other":
    case undefined:
      return null;
  }
}

/** With every member that its clients may count on; what other vendors do not tell has no value. */
export function usageOf(usage: Usage): object {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: { web_search_requests: usage.webSearches ?? 0, web_fetch_requests: 0 },
    service_tier: "standard",
    speed: "standard",
    inference_geo: "",
    iterations: [],
    fallback_credit: null,
  };
}
