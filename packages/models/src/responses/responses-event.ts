/** Reads one JSON object of a Responses answer, streamed or whole, into the few things kedge uses of it. */
import { isJsonObject, noUsage, type Usage } from "@kedge/protocol";
import { countOf, type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";
import { signatureOf } from "./reasoning-item.ts";

/** Which item of the answer an event is about. Some vendors give one item another id in each event, but one index. */
export type ItemKey = number | string;

export type ResponsesItem =
  | { readonly kind: "message"; readonly text: string; readonly refused: boolean }
  | { readonly kind: "reasoning"; readonly text: string; readonly signature: string | undefined }
  | {
      readonly kind: "call";
      readonly callId: string;
      readonly tool: string;
      readonly inputText: string;
      readonly cutOff: boolean;
    }
  /** `isSearch` is false for looking into a page that an earlier search found. */
  | { readonly kind: "web-search"; readonly json: string; readonly isSearch: boolean }
  | { readonly kind: "unknown" };

export type ResponsesEnd =
  | { readonly kind: "completed"; readonly usage: Usage }
  | { readonly kind: "incomplete"; readonly reason: string; readonly usage: Usage }
  | { readonly kind: "failed"; readonly error: unknown };

export type ResponsesDelta = {
  readonly kind: "delta";
  readonly of: "text" | "refusal" | "reasoning" | "input";
  readonly key: ItemKey;
  readonly text: string;
};

export type ResponsesEvent =
  | ResponsesDelta
  | {
      readonly kind: "item-started" | "item-finished";
      readonly key: ItemKey;
      /** By which deltas without a number name the item; empty if it has none. */
      readonly id: string;
      readonly item: ResponsesItem;
    }
  /** A further part of a reasoning summary, which is a paragraph of its own. */
  | { readonly kind: "next-summary-part" }
  | { readonly kind: "ended"; readonly end: ResponsesEnd }
  | { readonly kind: "nothing-new" };

export type WholeResponse = {
  readonly items: readonly ResponsesItem[];
  /** Undefined when the vendor says that it is still at work, or nothing that is known. */
  readonly end: ResponsesEnd | undefined;
};

/** The vendor's word for a search it made by itself. */
export const webSearchCall = "web_search_call";

const paragraphBreak = "\n\n";

/** Undefined when the text is no JSON object. */
export function parseResponsesEvent(text: string): ResponsesEvent | undefined {
  const value = parseJsonObject(text);
  return value === undefined ? undefined : readEvent(value);
}

/** Undefined when the text is no JSON object. */
export function parseWholeResponse(text: string): WholeResponse | undefined {
  const value = parseJsonObject(text);
  if (value === undefined) return undefined;
  return { items: objectsOf(value["output"]).map(readItem), end: readEnd(value["status"], value) };
}

function readEvent(value: JsonMembers): ResponsesEvent {
  switch (value["type"]) {
    case "response.output_text.delta":
      return readDelta("text", value);
    case "response.refusal.delta":
      return readDelta("refusal", value);
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return readDelta("reasoning", value);
    case "response.function_call_arguments.delta":
      return readDelta("input", value);
    case "response.output_item.added":
      return readItemEvent("item-started", value);
    case "response.output_item.done":
      return readItemEvent("item-finished", value);
    case "response.reasoning_summary_part.added":
      return { kind: countOf(value["summary_index"]) > 0 ? "next-summary-part" : "nothing-new" };
    case "response.completed":
      return ended("completed", value);
    case "response.incomplete":
      return ended("incomplete", value);
    case "response.failed":
      return ended("failed", value);
    case "error":
      return { kind: "ended", end: { kind: "failed", error: value["error"] ?? value } };
    default:
      // A gateway in between reports its errors in a form of its own.
      return isJsonObject(value["error"])
        ? { kind: "ended", end: { kind: "failed", error: value["error"] } }
        : { kind: "nothing-new" };
  }
}

function readItemEvent(kind: "item-started" | "item-finished", value: JsonMembers): ResponsesEvent {
  const item = objectOf(value["item"]);
  return { kind, key: keyOf(value), id: stringOf(item["id"]), item: readItem(item) };
}

function readDelta(of: ResponsesDelta["of"], value: JsonMembers): ResponsesDelta {
  return { kind: "delta", of, key: keyOf(value), text: stringOf(value["delta"]) };
}

function keyOf(value: JsonMembers): ItemKey {
  const index = value["output_index"];
  return typeof index === "number" ? index : stringOf(value["item_id"]) || stringOf(objectOf(value["item"])["id"]);
}

function readItem(item: JsonMembers): ResponsesItem {
  switch (item["type"]) {
    case "message": {
      const parts = objectsOf(item["content"]);
      return {
        kind: "message",
        text: parts.map((part) => stringOf(part["text"]) || stringOf(part["refusal"])).join(""),
        refused: parts.some((part) => part["type"] === "refusal"),
      };
    }
    case "reasoning": {
      // Models whose reasoning is open put it into `content`, the others a digest into `summary`.
      const parts = [...objectsOf(item["summary"]), ...objectsOf(item["content"])];
      return {
        kind: "reasoning",
        text: parts.map((part) => stringOf(part["text"])).join(paragraphBreak),
        signature: signatureOf(item),
      };
    }
    case webSearchCall: {
      const action = objectOf(item["action"])["type"] ?? "search";
      return { kind: "web-search", json: JSON.stringify(item), isSearch: action === "search" };
    }
    case "function_call":
      return {
        kind: "call",
        callId: stringOf(item["call_id"]) || stringOf(item["id"]),
        tool: stringOf(item["name"]),
        inputText: stringOf(item["arguments"]),
        cutOff: item["status"] === "incomplete",
      };
    default:
      return { kind: "unknown" };
  }
}

function ended(status: ResponsesEnd["kind"], value: JsonMembers): ResponsesEvent {
  const end = readEnd(status, objectOf(value["response"]));
  return end === undefined ? { kind: "nothing-new" } : { kind: "ended", end };
}

function readEnd(status: unknown, response: JsonMembers): ResponsesEnd | undefined {
  switch (status) {
    case "completed":
      return { kind: "completed", usage: readUsage(response["usage"]) };
    case "incomplete":
      return {
        kind: "incomplete",
        reason: stringOf(objectOf(response["incomplete_details"])["reason"]),
        usage: readUsage(response["usage"]),
      };
    case "failed":
      return { kind: "failed", error: response["error"] };
    default:
      return isJsonObject(response["error"]) ? { kind: "failed", error: response["error"] } : undefined;
  }
}

/** The wire counts cached tokens within the input; kedge counts every token once. */
export function readUsage(value: unknown): Usage {
  if (!isJsonObject(value)) return noUsage;
  const cacheRead = countOf(objectOf(value["input_tokens_details"])["cached_tokens"]);
  return {
    input: Math.max(0, countOf(value["input_tokens"]) - cacheRead),
    output: countOf(value["output_tokens"]),
    reasoning: countOf(objectOf(value["output_tokens_details"])["reasoning_tokens"]),
    cacheRead,
    cacheWrite: 0,
  };
}

function objectOf(value: unknown): JsonMembers {
  return isJsonObject(value) ? value : {};
}

function objectsOf(value: unknown): readonly JsonMembers[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
