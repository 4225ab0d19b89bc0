/** The items of one Responses answer: what deltas add to them, and what they say when they are finished. */

import type { ToolCallBlock } from "@kedge/protocol";
import { type DeltaQueue, type DeltaTarget, reasoningTarget, textTarget } from "../wire/delta-queue.ts";
import { namelessTool } from "../wire/nameless-tool.ts";
import type { ToolCallDraft } from "../wire/tool-call-drafts.ts";
import { parseJsonObject } from "../wire/vendor-json.ts";
import { type ItemKey, type ResponsesDelta, type ResponsesItem, webSearchCall } from "./responses-event.ts";

export type ResponsesItems = {
  readonly start: (key: ItemKey, item: ResponsesItem, id: string) => void;
  readonly add: (delta: ResponsesDelta) => void;
  readonly targetOf: (delta: ResponsesDelta) => DeltaTarget | undefined;
  /** Items also come whole: from vendors that send no deltas, and in answers that are not streamed. */
  readonly finish: (key: ItemKey, item: ResponsesItem, id: string) => void;
  /** Hands out the calls whose end was never told; only what is whole by itself counts. */
  readonly closeCalls: (options: { readonly cutOff: boolean }) => void;
  readonly hasCalls: () => boolean;
  readonly isRefused: () => boolean;
  readonly webSearches: () => number;
};

export function createResponsesItems(queue: DeltaQueue, onMalformed: (what: string) => void): ResponsesItems {
  const calls = new Map<ItemKey, ToolCallDraft>();
  const itemsWithDeltas = new Set<ItemKey>();
  /** Some deltas name their item by its id alone, although it was announced with a number. */
  const keysOfIds = new Map<ItemKey, ItemKey>();
  /** A finished call without arguments: only what follows tells whether the answer was cut off before them. */
  let held: ToolCallDraft | undefined;
  let refused = false;
  let webSearches = 0;

  function targetOf(delta: ResponsesDelta): DeltaTarget | undefined {
    switch (delta.of) {
      case "text":
      case "refusal":
        return textTarget;
      case "reasoning":
        return reasoningTarget;
      case "input":
        return calls.get(keysOfIds.get(delta.key) ?? delta.key);
    }
  }

  function startCall(key: ItemKey, item: Extract<ResponsesItem, { kind: "call" }>): ToolCallDraft | undefined {
    const known = calls.get(key);
    if (known !== undefined) return known;
    if (item.callId === "") {
      onMalformed("a tool call without an id");
      return undefined;
    }
    const tool = item.tool || namelessTool;
    const draft: ToolCallDraft = { kind: "tool", callId: item.callId, tool, inputText: "", closed: false };
    calls.set(key, draft);
    return draft;
  }

  function closeCall(draft: ToolCallDraft, { incomplete }: { readonly incomplete: boolean }): void {
    draft.closed = true;
    const inputText = draft.inputText.trim() === "" && !incomplete ? "{}" : draft.inputText;
    const call: ToolCallBlock = { type: "tool-call", callId: draft.callId, tool: draft.tool, inputText };
    queue.push({ type: "tool-call", call: incomplete ? { ...call, incomplete: true } : call });
  }

  function releaseCall(options: { readonly incomplete: boolean }): void {
    if (held !== undefined) closeCall(held, options);
    held = undefined;
  }

  return {
    targetOf,
    start(key, item, id) {
      releaseCall({ incomplete: false });
      if (id !== "" && id !== key) keysOfIds.set(id, key);
      if (item.kind === "call") startCall(key, item);
    },
    add(delta) {
      const target = targetOf(delta);
      // The finished item repeats its whole input, so pieces of a call that was not announced are not missed.
      if (target === undefined || delta.text === "") return;
      if (target.kind === "tool" && target.closed) {
        return onMalformed(`more input for the finished tool call ${target.callId}`);
      }
      refused ||= delta.of === "refusal";
      itemsWithDeltas.add(delta.key);
      queue.add(target, delta.text);
    },
    finish(key, item, id) {
      releaseCall({ incomplete: false });
      const isNew = !itemsWithDeltas.has(key) && !itemsWithDeltas.has(id);
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
          if (draft.inputText.trim() === "" && !item.cutOff) held = draft;
          else closeCall(draft, { incomplete: item.cutOff });
          return;
        }
        case "unknown":
          return;
      }
    },
    closeCalls({ cutOff }) {
      releaseCall({ incomplete: cutOff });
      for (const draft of calls.values())
        if (!draft.closed) closeCall(draft, { incomplete: parseJsonObject(draft.inputText) === undefined });
    },
    hasCalls: () => calls.size > 0,
    isRefused: () => refused,
    webSearches: () => webSearches,
  };
}
