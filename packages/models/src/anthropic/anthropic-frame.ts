/** Reads one JSON object of a Messages answer, streamed or whole, into the few things kedge uses of it. */
import { isJsonObject, type Usage } from "@kedge/protocol";
import { countOf, type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";

/** A part of a content block: what it begins with, or what is added to it. */
export type AnthropicPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly inputText: string }
  | { readonly kind: "input"; readonly text: string }
  /** Signatures, for which model events have no place, and blocks of kinds unknown here. */
  | { readonly kind: "unused" };

/** Only the counts that were sent: the later event has the newer ones, but not all of them. */
export type AnthropicUsage = Partial<Usage>;

export type AnthropicFrame =
  | { readonly kind: "start"; readonly responseId: string; readonly usage: AnthropicUsage }
  | { readonly kind: "part"; readonly index: number; readonly part: AnthropicPart }
  | { readonly kind: "stopping"; readonly stopReason: string | undefined; readonly usage: AnthropicUsage }
  | { readonly kind: "stop" }
  | {
      readonly kind: "whole";
      readonly responseId: string;
      readonly parts: readonly AnthropicPart[];
      readonly stopReason: string | undefined;
      readonly usage: AnthropicUsage;
    }
  | { readonly kind: "error"; readonly error: unknown }
  /** Pings, ends of blocks, and what the vendor may add one day. */
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
      return { kind: "part", index: countOf(value["index"]), part: readBlock(membersOf(value["content_block"])) };
    case "content_block_delta":
      return { kind: "part", index: countOf(value["index"]), part: readDelta(membersOf(value["delta"])) };
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
        parts: Array.isArray(value["content"]) ? value["content"].map((block) => readBlock(membersOf(block))) : [],
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

function readBlock(block: JsonMembers): AnthropicPart {
  switch (block["type"]) {
    case "text":
      return { kind: "text", text: stringOf(block["text"]) };
    case "thinking":
      return { kind: "reasoning", text: stringOf(block["thinking"]) };
    case "tool_use": {
      const input = membersOf(block["input"]);
      // A streamed block begins with an empty object, which only stands for the text that follows.
      const inputText = Object.keys(input).length === 0 ? "" : JSON.stringify(input);
      return { kind: "call", id: stringOf(block["id"]), name: stringOf(block["name"]), inputText };
    }
    default:
      return { kind: "unused" };
  }
}

function readDelta(delta: JsonMembers): AnthropicPart {
  switch (delta["type"]) {
    case "text_delta":
      return { kind: "text", text: stringOf(delta["text"]) };
    case "thinking_delta":
      return { kind: "reasoning", text: stringOf(delta["thinking"]) };
    case "input_json_delta":
      return { kind: "input", text: stringOf(delta["partial_json"]) };
    default:
      return { kind: "unused" };
  }
}

/** Here cached tokens are not part of the input, so each count is taken as it is. */
function readUsage(usage: JsonMembers): AnthropicUsage {
  const details = membersOf(usage["output_tokens_details"]);
  return {
    ...counted("input", usage["input_tokens"]),
    ...counted("output", usage["output_tokens"]),
    ...counted("reasoning", details["thinking_tokens"]),
    ...counted("cacheRead", usage["cache_read_input_tokens"]),
    ...counted("cacheWrite", usage["cache_creation_input_tokens"]),
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
