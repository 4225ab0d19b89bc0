/** Model events waiting to be taken. Deltas to one target are merged, so a network chunk gives one event, not thousands. */
import type { Buffer } from "node:buffer";
import type { ModelEvent } from "@kedge/protocol";
import { createDeltaText, type DeltaTemplate } from "./delta-template.ts";
import type { ToolCallDraft } from "./tool-call-drafts.ts";

export type DeltaTarget = { readonly kind: "text" } | { readonly kind: "reasoning" } | ToolCallDraft;

export const textTarget: DeltaTarget = { kind: "text" };
export const reasoningTarget: DeltaTarget = { kind: "reasoning" };

export type DeltaQueue = {
  readonly add: (target: DeltaTarget, text: string) => void;
  /** Adds the delta of the event at `from` unparsed; returns where the event ends, or -1 when it does not fit. */
  readonly addBytes: (pattern: DeltaPattern, bytes: Buffer, from: number) => number;
  /** Reports what was gathered, so that an event pushed next comes after it. */
  readonly flush: () => void;
  readonly push: (event: ModelEvent) => void;
  readonly take: () => readonly ModelEvent[];
};

export type DeltaPattern = { readonly template: DeltaTemplate; readonly target: DeltaTarget };

export function createDeltaQueue(): DeltaQueue {
  const bytesText = createDeltaText();
  let events: ModelEvent[] = [];
  let target: DeltaTarget = textTarget;
  let pending = "";

  function report(text: string): void {
    switch (target.kind) {
      case "text":
        events.push({ type: "text-delta", text });
        return;
      case "reasoning":
        events.push({ type: "reasoning-delta", text });
        return;
      case "tool":
        target.inputText += text;
        events.push({ type: "tool-input-delta", callId: target.callId, tool: target.tool, text });
    }
  }

  function flush(): void {
    pending += bytesText.drain();
    if (pending !== "") report(pending);
    pending = "";
  }

  function turnTo(next: DeltaTarget): void {
    flush();
    target = next;
  }

  return {
    add(to, text) {
      if (to !== target) turnTo(to);
      pending += bytesText.drain();
      pending += text;
    },
    addBytes(pattern, bytes, from) {
      if (pattern.target !== target) turnTo(pattern.target);
      return bytesText.take(pattern.template, bytes, from);
    },
    flush,
    push: (event) => events.push(event),
    take() {
      pending += bytesText.drain();
      const held = endsInsideCharacter(pending) ? pending.slice(-1) : "";
      const ready = held === "" ? pending : pending.slice(0, -1);
      if (ready !== "") report(ready);
      pending = held;
      const taken = events;
      events = [];
      return taken;
    },
  };
}

/** A character of two code units may be cut between two deltas; its first half waits for the second. */
function endsInsideCharacter(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
