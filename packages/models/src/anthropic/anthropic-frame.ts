/** Reads one JSON object of a Messages answer, streamed or whole, into the few things kedge uses of it. */
import { isJsonObject, type Usage } from "@kedge/protocol";
import { argumentsText, countOf, type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";

/** How a content block begins; in an answer that is not streamed, all of it. */
export type AnthropicBlock =
  | { readonly kind: "text"; readonly text: string; readonly citations: readonly unknown[] }
  | { readonly kind: "reasoning"; readonly text: string; readonly signature: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly inputText: string }
  /** Tools that run at the vendor, their results, hidden reasoning, and whatever is unknown here. */
  | { readonly kind: "vendor"; readonly name: string; readonly members: JsonMembers };

/** What is added to a content block. */
export type AnthropicDelta =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "input"; readonly text: string }
  | { readonly kind: "signature"; readonly signature: string }
  | { readonly kind: "citation"; readonly citation: unknown }
  | { readonly kind: "unknown" };

/** Only the counts that were sent: the later event has the newer ones, but not all of them. */
export type AnthropicUsage = Partial<Usage>;

export type AnthropicFrame =
  | { readonly kind: "start"; readonly responseId: string; readonly usage: AnthropicUsage }
  | { readonly kind: "begin"; readonly index: number; readonly block: AnthropicBlock }
  | { readonly kind: "delta"; readonly index: number; readonly delta: AnthropicDelta }
  | { readonly kind: "block-stop" }
  | { readonly kind: "stopping"; readonly stopReason: string | undefined; readonly usage: AnthropicUsage }
  | { readonly kind: "stop" }
  | {
      readonly kind: "whole";
      readonly responseId: string;
      readonly blocks: readonly AnthropicBlock[];
      readonly stopReason: string | undefined;
      readonly usage: AnthropicUsage;
    }
  | { readonly kind: "error"; readonly error: unknown }
  /** Pings, and what the vendor may add one day. */
  | { readonly kind: "unused" };

/** Undefined when the text is no JSON object. */
export function parseAnthropicFrame(text: string): AnthropicFrame | undefined {
  const value = parseJsonObject(text);
  return value === undefined ? undefined : readFrame(value);
}

function readFrame(value: JsonMembers): AnthropicFrame {
  switch (value["type"]) {
    case "message_start": {
      const message = membersOf(value["message"]);
      return { kind: "start", responseId: stringOf(message["id"]), usage: readUsage(membersOf(message["usage"])) };
    }
    case "content_block_start":
      return { kind: "begin", index: countOf(value["index"]), block: readBlock(membersOf(value["content_block"])) };
    case "content_block_delta":
      return { kind: "delta", index: countOf(value["index"]), delta: readDelta(membersOf(value["delta"])) };
    case "content_block_stop":
      return { kind: "block-stop" };
    case "message_delta": {
      const stopReason = stopReasonOf(membersOf(value["delta"]));
      return { kind: "stopping", stopReason, usage: readUsage(membersOf(value["usage"])) };
    }
    case "message_stop":
      return { kind: "stop" };
    case "message":
      return {
        kind: "whole",
        responseId: stringOf(value["id"]),
        blocks: listOf(value["content"]).map((block) => readBlock(membersOf(block))),
        stopReason: stopReasonOf(value),
        usage: readUsage(membersOf(value["usage"])),
      };
    case "error":
      return { kind: "error", error: value["error"] };
    default:
      // Gateways in front of the vendor put their own errors into the stream without naming the event.
      return isJsonObject(value["error"]) ? { kind: "error", error: value["error"] } : { kind: "unused" };
  }
}

function readBlock(block: JsonMembers): AnthropicBlock {
  switch (block["type"]) {
    case "text":
      return { kind: "text", text: stringOf(block["text"]), citations: listOf(block["citations"]) };
    case "thinking":
      return { kind: "reasoning", text: stringOf(block["thinking"]), signature: stringOf(block["signature"]) };
    case "tool_use": {
      const input = membersOf(block["input"]);
      // A streamed block begins with an empty object, which only stands for the text that follows.
      const inputText = Object.keys(input).length === 0 ? "" : argumentsText(input);
      return { kind: "call", id: stringOf(block["id"]), name: stringOf(block["name"]), inputText };
    }
    default:
      return { kind: "vendor", name: stringOf(block["type"]), members: block };
  }
}

function readDelta(delta: JsonMembers): AnthropicDelta {
  switch (delta["type"]) {
    case "text_delta":
      return { kind: "text", text: stringOf(delta["text"]) };
    case "thinking_delta":
      return { kind: "reasoning", text: stringOf(delta["thinking"]) };
    case "input_json_delta":
      return { kind: "input", text: stringOf(delta["partial_json"]) };
    case "signature_delta":
      return { kind: "signature", signature: stringOf(delta["signature"]) };
    case "citations_delta":
      return { kind: "citation", citation: delta["citation"] };
    default:
      return { kind: "unknown" };
  }
}

/** Here cached tokens are not part of the input, so each count is taken as it is. */
function readUsage(usage: JsonMembers): AnthropicUsage {
  const details = membersOf(usage["output_tokens_details"]);
  const webSearches = countOf(membersOf(usage["server_tool_use"])["web_search_requests"]);
  return {
    ...counted("input", usage["input_tokens"]),
    ...counted("output", usage["output_tokens"]),
    ...counted("reasoning", details["thinking_tokens"]),
    ...counted("cacheRead", usage["cache_read_input_tokens"]),
    ...counted("cacheWrite", usage["cache_creation_input_tokens"]),
    ...(webSearches > 0 && { webSearches }),
  };
}

function counted(name: keyof Usage, value: unknown): AnthropicUsage {
  return typeof value === "number" ? { [name]: countOf(value) } : {};
}

function stopReasonOf(members: JsonMembers): string | undefined {
  return stringOf(members["stop_reason"]) || undefined;
}

function membersOf(value: unknown): JsonMembers {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
