/** Turns the bytes of a Responses answer into model events. */
import { Buffer } from "node:buffer";
import { noUsage, type StopReason } from "@kedge/protocol";
import { createDeltaQueue, reasoningTarget } from "../wire/delta-queue.ts";
import { matchesAt } from "../wire/delta-template.ts";
import { createFrameReader } from "../wire/frame-reader.ts";
import type { WireAnswer } from "../wire/wire-answer.ts";
import { createResponsesDeltaLearner } from "./responses-delta-learner.ts";
import { parseResponsesEvent, parseWholeResponse, type ResponsesEnd, type ResponsesEvent } from "./responses-event.ts";
import { createResponsesItems } from "./responses-items.ts";
import { joinLongLines } from "./responses-long-lines.ts";

/** Not of this wire, but servers that also speak Chat Completions are known to close both alike. */
const doneMark = "[DONE]";
const nothingNew: ResponsesEvent = { kind: "nothing-new" };

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

export function createResponsesAnswer(): WireAnswer {
  const queue = createDeltaQueue();
  const deltas = createResponsesDeltaLearner(queue);
  const items = createResponsesItems(queue, (what) => reader.fail({ kind: "malformed", what }));
  let done = false;
  let stopReason: StopReason | undefined;
  let usage = noUsage;

  const reader = createFrameReader({
    deltas,
    ignores: (event) => done || isRepeating(event),
    parse: (data) => (data === doneMark ? nothingNew : parseResponsesEvent(data)),
    read(parsed, event) {
      read(parsed);
      if (event !== undefined && parsed.kind === "delta" && reader.problem() === undefined)
        deltas.learn(parsed, event, items.targetOf(parsed));
    },
  });

  const lines = joinLongLines(reader.push, isRepeating);

  function read(event: ResponsesEvent): void {
    switch (event.kind) {
      case "delta":
        items.add(event);
        return;
      case "item-started":
        items.start(event.key, event.item, event.id);
        return;
      case "item-finished":
        deltas.forget();
        items.finish(event.key, event.item, event.id);
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

  function finish(end: ResponsesEnd): void {
    deltas.forget();
    queue.flush();
    if (end.kind === "failed") {
      reader.fail({ kind: "vendor-error", error: end.error });
      return;
    }
    done = true;
    const webSearches = items.webSearches();
    usage = webSearches === 0 ? end.usage : { ...end.usage, webSearches };
    stopReason = items.isRefused() ? "refused" : stopReasonOf(end, items.hasCalls());
    items.closeCalls({ cutOff: end.kind === "incomplete" });
  }

  return {
    ...reader,
    push: lines.push,
    pushWhole(text) {
      const whole = parseWholeResponse(text);
      if (whole === undefined) return reader.fail({ kind: "malformed", what: "a body that is not a JSON object" });
      for (const [key, item] of whole.items.entries()) items.finish(key, item, "");
      if (whole.end !== undefined) finish(whole.end);
    },
    pushEnd() {
      lines.flush();
      reader.pushEnd();
    },
    take: queue.take,
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
