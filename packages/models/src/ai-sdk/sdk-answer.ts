/** Turns the parts of an AI SDK answer, streamed or whole, into model events. */

import { isJsonObject, type ModelEvent, type StopReason, type Usage } from "@kedge/protocol";
import { boundedMembers, countOf, type JsonMembers, stringOf } from "../wire/vendor-json.ts";
import type { AnswerConclusion } from "../wire/wire-answer.ts";
import { createSdkCalls } from "./sdk-calls.ts";

export type SdkAnswer = {
  /** One part of the stream; what it means for the conversation. Parts nobody knows mean nothing. */
  readonly push: (part: unknown) => readonly ModelEvent[];
  /** The result of a call that was not streamed. */
  readonly pushWhole: (result: JsonMembers) => readonly ModelEvent[];
  /** What the package says went wrong. */
  readonly error: () => { readonly error: unknown } | undefined;
  readonly conclusion: () => AnswerConclusion | undefined;
};

const nothing: readonly ModelEvent[] = [];

type Kind = "text" | "reasoning";

export function createSdkAnswer(): SdkAnswer {
  const calls = createSdkCalls();
  /** The kind of block that the last delta belongs to. */
  let open: Kind | undefined;
  let signature: string | undefined;
  let failure: { readonly error: unknown } | undefined;
  let conclusion: AnswerConclusion | undefined;

  function begin(kind: Kind, part: JsonMembers): readonly ModelEvent[] {
    // Two blocks of one kind would otherwise become one.
    const closing: readonly ModelEvent[] = open === kind ? [{ type: "block-end", block: kind }] : nothing;
    open = undefined;
    signature = signatureOf(part);
    return closing;
  }

  function addDelta(kind: Kind, part: JsonMembers): readonly ModelEvent[] {
    signature = signatureOf(part) ?? signature;
    const text = stringOf(part["delta"]);
    if (text === "") return nothing;
    open = kind;
    return [kind === "text" ? { type: "text-delta", text } : { type: "reasoning-delta", text }];
  }

  function end(kind: Kind, part: JsonMembers): readonly ModelEvent[] {
    const attached = signatureOf(part) ?? signature;
    signature = undefined;
    if (attached === undefined) return nothing;
    open = undefined;
    return [{ type: "block-end", block: kind, signature: attached }];
  }

  function addInput(part: JsonMembers): readonly ModelEvent[] {
    const events = calls.addInput(part);
    if (events.length > 0) open = undefined;
    return events;
  }

  function addCall(part: JsonMembers): readonly ModelEvent[] {
    open = undefined;
    return part["providerExecuted"] === true ? [vendorBlock(part)] : calls.add(part, signatureOf(part));
  }

  function finish(part: JsonMembers): readonly ModelEvent[] {
    const reason = finishReasonOf(part["finishReason"]);
    if (reason === "error") failure ??= { error: undefined };
    const waited = calls.finish({ isCutOff: reason !== "tool-calls" && reason !== "stop" });
    // Packages say so when the stream ended before the vendor gave a reason.
    if (reason === "other" && rawReasonOf(part["finishReason"]) === "") return waited;
    conclusion = { stopReason: stopReasonOf(reason, { hasCalls: calls.count() > 0 }), usage: usageOf(part["usage"]) };
    return waited;
  }

  function push(part: unknown): readonly ModelEvent[] {
    if (!isJsonObject(part)) return nothing;
    switch (part["type"]) {
      case "text-start":
        return begin("text", part);
      case "text-delta":
        return addDelta("text", part);
      case "text-end":
        return end("text", part);
      case "reasoning-start":
        return begin("reasoning", part);
      case "reasoning-delta":
        return addDelta("reasoning", part);
      case "reasoning-end":
        return end("reasoning", part);
      case "tool-input-start":
        if (part["providerExecuted"] !== true) calls.announce(part);
        return nothing;
      case "tool-input-delta":
        return addInput(part);
      case "tool-call":
        return addCall(part);
      case "tool-result":
        return part["preliminary"] === true ? nothing : [vendorBlock(part)];
      case "custom":
        return [vendorBlock(part)];
      case "finish":
        return finish(part);
      case "error":
        failure ??= { error: part["error"] };
        return nothing;
      default:
        return nothing;
    }
  }

  function pushContent(part: unknown): readonly ModelEvent[] {
    const kind = isJsonObject(part) ? part["type"] : undefined;
    if (!isJsonObject(part) || (kind !== "text" && kind !== "reasoning")) return push(part);
    const events = [...begin(kind, {}), ...addDelta(kind, { delta: part["text"] })];
    return [...events, ...end(kind, part)];
  }

  return {
    push,
    pushWhole(result) {
      const content: readonly unknown[] = Array.isArray(result["content"]) ? result["content"] : [];
      return [...content.flatMap(pushContent), ...finish(result)];
    },
    error: () => failure,
    conclusion: () => conclusion,
  };
}

function vendorBlock(part: JsonMembers): ModelEvent {
  return {
    type: "vendor-block",
    block: { type: "vendor", kind: stringOf(part["type"]), json: JSON.stringify(boundedMembers(part)) },
  };
}

/** A package that attaches only its empty name has nothing to get back. */
function signatureOf(part: JsonMembers): string | undefined {
  const metadata = part["providerMetadata"];
  if (!isJsonObject(metadata)) return undefined;
  const isEmpty = Object.values(metadata).every((value) => isJsonObject(value) && Object.keys(value).length === 0);
  return isEmpty ? undefined : JSON.stringify(boundedMembers(metadata));
}

/** Packages tell the vendor's own word beside the one they all share. */
function finishReasonOf(value: unknown): string {
  return isJsonObject(value) ? stringOf(value["unified"]) : stringOf(value);
}

function rawReasonOf(value: unknown): string {
  return isJsonObject(value) ? stringOf(value["raw"]) : stringOf(value);
}

function stopReasonOf(reason: string, { hasCalls }: { readonly hasCalls: boolean }): StopReason {
  switch (reason) {
    case "stop":
      // Some vendors say so even when they ask for tools.
      return hasCalls ? "tool-calls" : "end";
    case "tool-calls":
      return "tool-calls";
    case "length":
      return "output-limit";
    case "content-filter":
      return "refused";
    default:
      return hasCalls ? "tool-calls" : "other";
  }
}

/** Totals include what was cached; kedge counts every token once, and reasoning as a part of the output. */
function usageOf(value: unknown): Usage {
  const usage = isJsonObject(value) ? value : {};
  const input = isJsonObject(usage["inputTokens"]) ? usage["inputTokens"] : {};
  const output = isJsonObject(usage["outputTokens"]) ? usage["outputTokens"] : {};
  const cacheRead = countOf(input["cacheRead"]);
  const cacheWrite = countOf(input["cacheWrite"]);
  const reasoning = countOf(output["reasoning"]);
  const uncached = input["noCache"] ?? countOf(input["total"]) - cacheRead - cacheWrite;
  return {
    input: countOf(uncached),
    output: countOf(output["total"] ?? countOf(output["text"]) + reasoning),
    reasoning,
    cacheRead,
    cacheWrite,
  };
}
