/** Puts tool calls together from their pieces and says when each one is whole. */
import type { ToolCallBlock } from "@kedge/protocol";
import { namelessTool } from "./nameless-tool.ts";
import { parseJsonObject } from "./vendor-json.ts";

/** A piece of a call as it arrives; empty members add nothing. */
export type ToolDelta = {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly inputText: string;
};

export type ToolCallDraft = {
  readonly kind: "tool";
  readonly callId: string;
  tool: string;
  inputText: string;
  /** Set once the call was handed out: nothing may be added any more. */
  closed: boolean;
};

export type ToolCallDrafts = {
  /** The call a piece belongs to; `started` is true when the piece begins a new one. */
  readonly find: (delta: ToolDelta, responseId: string) => { draft: ToolCallDraft; started: boolean };
  /** Hands out, in order, the calls before `next` that are whole. Stops at the first that still waits for pieces. */
  readonly closeBefore: (next: ToolCallDraft) => readonly ToolCallBlock[];
  /** Hands out what is left. With `cutOff`, a call whose input is not whole by itself is marked incomplete. */
  readonly closeAll: (options: { readonly cutOff: boolean }) => readonly ToolCallBlock[];
  readonly all: () => readonly ToolCallDraft[];
};

export function createToolCallDrafts(): ToolCallDrafts {
  const drafts: ToolCallDraft[] = [];
  // Some vendors number all parallel calls 0 and tell them apart by id only, so an index points to its latest call.
  const latest = new Map<number, ToolCallDraft>();
  let closedCount = 0;

  function close(draft: ToolCallDraft, incomplete: boolean): ToolCallBlock {
    draft.closed = true;
    closedCount++;
    const inputText = draft.inputText.trim() === "" && !incomplete ? "{}" : draft.inputText;
    const block = { type: "tool-call", callId: draft.callId, tool: draft.tool || namelessTool, inputText } as const;
    return incomplete ? { ...block, incomplete: true } : block;
  }

  return {
    find(delta, responseId) {
      const index = delta.index ?? (delta.id === "" ? Math.max(0, drafts.length - 1) : drafts.length);
      const known = latest.get(index);
      if (known !== undefined && (delta.id === "" || delta.id === known.callId)) {
        if (known.tool === "") known.tool = delta.name;
        return { draft: known, started: false };
      }
      const callId = delta.id === "" ? `call_${responseId}_${index}` : delta.id;
      const draft: ToolCallDraft = { kind: "tool", callId, tool: delta.name, inputText: "", closed: false };
      drafts.push(draft);
      latest.set(index, draft);
      return { draft, started: true };
    },
    closeBefore(next) {
      const closed: ToolCallBlock[] = [];
      for (let draft = drafts[closedCount]; draft !== undefined && draft !== next; draft = drafts[closedCount]) {
        if (draft.tool === "" || !isWhole(draft.inputText)) break;
        closed.push(close(draft, false));
      }
      return closed;
    },
    closeAll({ cutOff }) {
      return drafts.slice(closedCount).map((draft) => close(draft, cutOff && !isWhole(draft.inputText)));
    },
    all: () => drafts,
  };
}

/** Only an object says by itself where it ends: of a number that was cut off, a number is left. */
function isWhole(text: string): boolean {
  return parseJsonObject(text) !== undefined;
}
