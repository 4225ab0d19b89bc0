/** The tool calls of one Messages answer, put together from their pieces. */
import type { DeltaQueue, DeltaTarget } from "../wire/delta-queue.ts";
import { namelessTool } from "../wire/nameless-tool.ts";
import { createToolCallDrafts } from "../wire/tool-call-drafts.ts";
import type { AnthropicBlock } from "./anthropic-frame.ts";

export type CallStart = Extract<AnthropicBlock, { readonly kind: "call" }> & { readonly index: number };

export type AnthropicCalls = {
  readonly begin: (call: CallStart, responseId: string) => void;
  /** Returns the call that the text was added to. */
  readonly addInput: (index: number, text: string) => DeltaTarget | undefined;
  readonly close: (options: { readonly cutOff: boolean }) => void;
  readonly hasAny: () => boolean;
};

export function createAnthropicCalls(queue: DeltaQueue, onMalformed: (what: string) => void): AnthropicCalls {
  const drafts = createToolCallDrafts();

  function add(target: DeltaTarget, text: string): DeltaTarget | undefined {
    if (text === "") return undefined;
    queue.add(target, text);
    return target;
  }

  return {
    begin({ index, id, name, inputText }, responseId) {
      const { draft } = drafts.find({ index, id, name: name || namelessTool, inputText: "" }, responseId);
      queue.flush();
      for (const call of drafts.closeBefore(draft)) queue.push({ type: "tool-call", call });
      add(draft, inputText);
    },
    addInput(index, text) {
      const { draft, started } = drafts.find({ index, id: "", name: "", inputText: text }, "");
      if (!started && !draft.closed) return add(draft, text);
      if (started) onMalformed("input for a tool call that never began");
      else if (text.trim() !== "") onMalformed(`more input for the finished tool call ${draft.callId}`);
      return undefined;
    },
    close(options) {
      queue.flush();
      for (const call of drafts.closeAll(options)) queue.push({ type: "tool-call", call });
    },
    hasAny: () => drafts.all().length > 0,
  };
}
