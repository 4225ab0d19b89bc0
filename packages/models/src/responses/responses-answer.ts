/** Turns the bytes of a Responses answer into model events. */
import { Buffer } from "node:buffer";
import { noUsage, type StopReason, type ToolCallBlock } from "@kedge/protocol";
import {
  createDeltaQueue,
  type DeltaPattern,
  type DeltaTarget,
  reasoningTarget,
  textTarget,
} from "../wire/delta-queue.ts";
import { matchesAt } from "../wire/delta-template.ts";
import { createEventSplitter, eventData } from "../wire/server-sent-events.ts";
import type { ToolCallDraft } from "../wire/tool-call-drafts.ts";
import type { AnswerProblem, WireAnswer } from "../wire/wire-answer.ts";
import {
  deltaStart,
  eventEnd,
  learnResponsesTemplate,
  type ResponsesDeltaTemplate,
} from "./responses-delta-template.ts";
import {
  type ItemKey,
  parseResponsesEvent,
  parseWholeResponse,
  type ResponsesDelta,
  type ResponsesEnd,
  type ResponsesEvent,
  type ResponsesItem,
  webSearchCall,
} from "./responses-event.ts";
import { joinLongLines } from "./responses-long-lines.ts";

/** Learning costs as much as parsing several events, so a stream must first show that it has many of a kind. */
const deltasBeforeLearning = 3;

/** After so many templates in a row that no event repeated, this vendor's events are all parsed. */
const vainTemplatesMax = 16;

/** Not of this wire, but servers that also speak Chat Completions are known to close both alike. */
const doneMark = "[DONE]";

const paragraphBreak = "\n\n";

/** These repeat what deltas said and items will say again; the longest of them hold the whole text. */
const repeatingEvents = [
  "output_text.done",
  "content_part.done",
  "reasoning_text.done",
  "reasoning_summary_text.done",
].map((name) => Buffer.from(`event: response.${name}\n`));

function isRepeating(event: Buffer): boolean {
  return repeatingEvents.some((name) => matchesAt(event, 0, name));
}

/** The delta itself, once its place is known. */
const bareDelta: DeltaPattern["template"] = { prefix: Buffer.alloc(0), suffix: Buffer.from('"') };

type LearntPattern = { readonly event: ResponsesDeltaTemplate; readonly delta: DeltaPattern };

export function createResponsesAnswer(): WireAnswer {
  const queue = createDeltaQueue();
  const calls = new Map<ItemKey, ToolCallDraft>();
  const itemsWithDeltas = new Set<ItemKey>();
  let pattern: LearntPattern | undefined;
  let vainTemplates = 0;
  let parsedDeltas = 0;
  let problem: AnswerProblem | undefined;
  let done = false;
  let stopReason: StopReason | undefined;
  let usage = noUsage;
  let refused = false;
  let webSearches = 0;

  const splitter = createEventSplitter({
    take(bytes, from) {
      if (pattern === undefined) return -1;
      const start = deltaStart(pattern.event, bytes, from);
      const end = start === -1 ? -1 : eventEnd(pattern.event, bytes, start);
      if (end === -1 || queue.addBytes(pattern.delta, bytes, start) === -1) return -1;
      vainTemplates = 0;
      return end;
    },
    event(event) {
      if (done || problem !== undefined || isRepeating(event)) return;
      const data = eventData(event)?.trim();
      if (data === undefined || data === "" || data === doneMark) return;
      const parsed = parseResponsesEvent(data);
      if (parsed === undefined) return fail({ kind: "malformed", what: "an event that is not a JSON object" });
      read(parsed);
      if (parsed.kind === "delta" && problem === undefined) learn(parsed, event);
    },
    tooLarge: () => fail({ kind: "malformed", what: "an event that does not end" }),
  });

  const lines = joinLongLines(splitter.push, isRepeating);

  function fail(found: AnswerProblem): void {
    problem ??= found;
    pattern = undefined;
  }

  function read(event: ResponsesEvent): void {
    switch (event.kind) {
      case "delta":
        readDelta(event);
        return;
      case "item-started":
        if (event.item.kind === "call") startCall(event.key, event.item);
        return;
      case "item-finished":
        finishItem(event.key, event.item);
        return;
      case "next-summary-part":
        queue.add(reasoningTarget, paragraphBreak);
        return;
      case "ended":
        finish(event.end);
        return;
      case "nothing-new":
        return;
    }
  }

  function readDelta(delta: ResponsesDelta): void {
    const target = targetOf(delta);
    // The finished item repeats its whole input, so pieces of a call that was not announced are not missed.
    if (target === undefined || delta.text === "") return;
    if (target.kind === "tool" && target.closed) {
      fail({ kind: "malformed", what: `more input for the finished tool call ${target.callId}` });
      return;
    }
    refused ||= delta.of === "refusal";
    itemsWithDeltas.add(delta.key);
    queue.add(target, delta.text);
  }

  function targetOf(delta: ResponsesDelta): DeltaTarget | undefined {
    switch (delta.of) {
      case "text":
      case "refusal":
        return textTarget;
      case "reasoning":
        return reasoningTarget;
      case "input":
        return calls.get(delta.key);
    }
  }

  function startCall(key: ItemKey, item: Extract<ResponsesItem, { kind: "call" }>): ToolCallDraft | undefined {
    const known = calls.get(key);
    if (known !== undefined) return known;
    if (item.tool === "" || item.callId === "") {
      fail({ kind: "malformed", what: "a tool call without a name or an id" });
      return undefined;
    }
    const draft: ToolCallDraft = { kind: "tool", callId: item.callId, tool: item.tool, inputText: "", closed: false };
    calls.set(key, draft);
    return draft;
  }

  /** Items also come whole: from vendors that send no deltas, and in answers that are not streamed. */
  function finishItem(key: ItemKey, item: ResponsesItem): void {
    pattern = undefined;
    const isNew = !itemsWithDeltas.has(key);
    switch (item.kind) {
      case "message":
        refused ||= item.refused;
        if (isNew) queue.add(textTarget, item.text);
        return;
      case "reasoning":
        if (isNew) queue.add(reasoningTarget, item.text);
        if (item.signature === undefined) return;
        queue.flush();
        queue.push({ type: "block-end", block: "reasoning", signature: item.signature });
        return;
      case "web-search":
        if (item.isSearch) webSearches++;
        queue.flush();
        queue.push({ type: "vendor-block", block: { type: "vendor", kind: webSearchCall, json: item.json } });
        return;
      case "call": {
        const draft = startCall(key, item);
        if (draft === undefined || draft.closed) return;
        if (isNew) queue.add(draft, item.inputText);
        queue.flush();
        if (item.inputText !== "") draft.inputText = item.inputText;
        closeCall(draft, { incomplete: item.cutOff });
        return;
      }
      case "unknown":
        return;
    }
  }

  function closeCall(draft: ToolCallDraft, { incomplete }: { readonly incomplete: boolean }): void {
    draft.closed = true;
    const inputText = draft.inputText.trim() === "" && !incomplete ? "{}" : draft.inputText;
    const call: ToolCallBlock = { type: "tool-call", callId: draft.callId, tool: draft.tool, inputText };
    queue.push({ type: "tool-call", call: incomplete ? { ...call, incomplete: true } : call });
  }

  function finish(end: ResponsesEnd): void {
    pattern = undefined;
    queue.flush();
    if (end.kind === "failed") {
      fail({ kind: "vendor-error", error: end.error });
      return;
    }
    done = true;
    usage = webSearches === 0 ? end.usage : { ...end.usage, webSearches };
    stopReason = refused ? "refused" : stopReasonOf(end, calls.size > 0);
    for (const draft of calls.values()) {
      if (!draft.closed) closeCall(draft, { incomplete: end.kind === "incomplete" });
    }
  }

  function learn(delta: ResponsesDelta, event: Buffer): void {
    if (vainTemplates >= vainTemplatesMax || delta.text === "" || delta.of === "refusal") return;
    if (pattern !== undefined && deltaStart(pattern.event, event, 0) !== -1) return;
    const target = targetOf(delta);
    if (target === undefined || ++parsedDeltas < deltasBeforeLearning) return;
    vainTemplates++;
    const template = learnResponsesTemplate(event, (probe, text) => {
      const probed = parseResponsesEvent(eventData(probe) ?? "");
      return JSON.stringify(probed) === JSON.stringify({ ...delta, text });
    });
    pattern = template === undefined ? undefined : { event: template, delta: { template: bareDelta, target } };
  }

  return {
    push: lines.push,
    pushWhole(text) {
      const whole = parseWholeResponse(text);
      if (whole === undefined) return fail({ kind: "malformed", what: "a body that is not a JSON object" });
      for (const [key, item] of whole.items.entries()) finishItem(key, item);
      if (whole.end !== undefined) finish(whole.end);
    },
    pushEnd() {
      lines.flush();
      const data = done || problem !== undefined ? undefined : eventData(splitter.rest())?.trim();
      if (data === undefined) return;
      // An event cut off in the middle is no JSON; that the stream broke is reported by whoever saw it end.
      const parsed = parseResponsesEvent(data);
      if (parsed !== undefined) read(parsed);
    },
    take: queue.take,
    problem: () => problem,
    isDone: () => done,
    conclusion: () => (stopReason === undefined ? undefined : { stopReason, usage }),
  };
}

function stopReasonOf(end: Exclude<ResponsesEnd, { kind: "failed" }>, hasCalls: boolean): StopReason {
  if (end.kind === "completed") return hasCalls ? "tool-calls" : "end";
  switch (end.reason) {
    case "max_output_tokens":
      return "output-limit";
    case "content_filter":
      return "refused";
    default:
      return "other";
  }
}
