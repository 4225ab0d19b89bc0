/** Reads one JSON object of a Chat Completions answer, streamed or whole, into the few things kedge uses of it. */
import { isJsonObject, type Usage } from "@kedge/protocol";
import type { ToolDelta } from "../wire/tool-call-drafts.ts";
import { countOf, type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";
import type { ReasoningMember } from "./returned-reasoning.ts";

export type ChatFrame = {
  readonly responseId: string;
  /** The number of the choice that the rest is about. */
  readonly choice: number;
  readonly text: string;
  readonly reasoning: string;
  /** Where the reasoning stood, when it stood in a member of its own. */
  readonly reasoningMember: ReasoningMember | undefined;
  /** The vendor's own form of the reasoning, beside or instead of the plain one. */
  readonly reasoningDetails: readonly JsonMembers[];
  readonly refusal: string;
  readonly toolDeltas: readonly ToolDelta[];
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  /** Whatever stood in the member `error`. */
  readonly error: unknown;
};

/** Undefined when the text is no JSON object. */
export function parseChatFrame(text: string): ChatFrame | undefined {
  const value = parseJsonObject(text);
  return value === undefined ? undefined : readFrame(value);
}

const noMembers: JsonMembers = {};
const noToolDeltas: readonly ToolDelta[] = [];
const noReasoning = { reasoning: "", reasoningMember: undefined, reasoningDetails: [] } as const;

function readFrame(value: JsonMembers): ChatFrame {
  const choice = firstChoice(value["choices"]);
  const delta = deltaOf(choice);
  const calls = delta["tool_calls"];
  const content = delta["content"];
  const hasReasoning =
    delta["reasoning_content"] !== undefined ||
    delta["reasoning"] !== undefined ||
    delta["reasoning_details"] !== undefined ||
    Array.isArray(content);
  const { reasoning, reasoningMember, reasoningDetails } = hasReasoning ? readReasoning(delta) : noReasoning;
  return {
    responseId: stringOf(value["id"]),
    choice: countOf(choice["index"]),
    text: textOf(content),
    reasoning,
    reasoningMember,
    reasoningDetails,
    refusal: stringOf(delta["refusal"]),
    toolDeltas: Array.isArray(calls) ? calls.map(readToolDelta) : noToolDeltas,
    finishReason: stringOf(choice["finish_reason"]) || undefined,
    usage: findUsage(value),
    error: value["error"] ?? undefined,
  };
}

/** Most vendors write text as a string, some as a list of parts; parts of other kinds are read elsewhere. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isJsonObject(part) ? stringOf(part["text"]) : stringOf(part))).join("");
}

/** What a list of parts says as thoughts, each of them a text or a list of parts again. */
function thoughtsOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isJsonObject(part) ? textOf(part["thinking"]) : "")).join("");
}

/** The one numbered 0 if there is one, else the first. */
function firstChoice(choices: unknown): JsonMembers {
  if (!Array.isArray(choices)) return noMembers;
  let first: JsonMembers | undefined;
  for (const choice of choices) {
    if (!isJsonObject(choice)) continue;
    if (choice["index"] === undefined || choice["index"] === 0) return choice;
    first ??= choice;
  }
  return first ?? noMembers;
}

/** A whole answer has `message` where a streamed one has `delta`; both are of one shape. */
function deltaOf({ delta, message }: JsonMembers): JsonMembers {
  if (isJsonObject(delta)) return delta;
  return isJsonObject(message) ? message : noMembers;
}

/** Vendors that send several forms say the same in each. */
function readReasoning(delta: JsonMembers): Pick<ChatFrame, "reasoning" | "reasoningMember" | "reasoningDetails"> {
  const details = delta["reasoning_details"];
  const reasoningDetails = Array.isArray(details) ? details.filter(isJsonObject) : [];
  for (const reasoningMember of ["reasoning_content", "reasoning"] as const) {
    const reasoning = stringOf(delta[reasoningMember]);
    if (reasoning !== "") return { reasoning, reasoningMember, reasoningDetails };
  }
  const detailed = reasoningDetails.map((detail) => stringOf(detail["text"]) || stringOf(detail["summary"])).join("");
  const reasoning = detailed === "" ? thoughtsOf(delta["content"]) : detailed;
  return { reasoning, reasoningMember: undefined, reasoningDetails };
}

/** Beside the answer as a rule; one vendor has it in a member of its own. */
function findUsage(value: JsonMembers): Usage | undefined {
  const own = value["x_groq"];
  const usage = value["usage"] ?? (isJsonObject(own) ? own["usage"] : undefined);
  return isJsonObject(usage) ? readUsage(usage) : undefined;
}

function readToolDelta(value: unknown): ToolDelta {
  const delta = isJsonObject(value) ? value : noMembers;
  const named = isJsonObject(delta["function"]) ? delta["function"] : noMembers;
  return {
    index: typeof delta["index"] === "number" ? delta["index"] : undefined,
    id: stringOf(delta["id"]),
    name: stringOf(named["name"]),
    inputText: stringOf(named["arguments"]),
  };
}

/**
 * The wire counts cached tokens within the prompt; kedge counts every token once. Some vendors count thinking beside the
 * output instead of within it, which only the total tells.
 */
function readUsage(value: JsonMembers): Usage {
  const promptDetails = isJsonObject(value["prompt_tokens_details"]) ? value["prompt_tokens_details"] : {};
  const outputDetails = isJsonObject(value["completion_tokens_details"]) ? value["completion_tokens_details"] : {};
  const prompt = countOf(value["prompt_tokens"]);
  const completion = countOf(value["completion_tokens"]);
  const cacheRead = countOf(promptDetails["cached_tokens"]);
  const reasoning = countOf(outputDetails["reasoning_tokens"]);
  const isBeside = countOf(value["total_tokens"]) >= prompt + completion + reasoning;
  return {
    input: Math.max(0, prompt - cacheRead),
    output: isBeside ? completion + reasoning : completion,
    reasoning,
    cacheRead,
    cacheWrite: 0,
  };
}
