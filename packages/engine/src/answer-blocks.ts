/** Builds the blocks of one answer from the deltas of a stream, without ever rebuilding a string. */
import type { AssistantBlock, ToolCallBlock } from "@kedge/protocol";

type Growing =
  | { readonly type: "text" | "reasoning"; readonly pieces: string[]; taken: number }
  | { readonly type: "tool-call"; readonly call: ToolCallBlock; taken: number };

export interface AnswerBlocks {
  append(type: "text" | "reasoning", text: string): void;
  addCall(call: ToolCallBlock): void;
  /** What was added since the last time this was asked; for storing progress while the stream goes on. */
  takeAppended(): readonly AssistantBlock[];
  all(): readonly AssistantBlock[];
}

export function createAnswerBlocks(): AnswerBlocks {
  const blocks: Growing[] = [];
  let firstUntaken = 0;

  function render(block: Growing, from: number): AssistantBlock {
    if (block.type === "tool-call") return block.call;
    return { type: block.type, text: (from === 0 ? block.pieces : block.pieces.slice(from)).join("") };
  }

  return {
    append(type, text) {
      const last = blocks.at(-1);
      if (last?.type === type) last.pieces.push(text);
      else blocks.push({ type, pieces: [text], taken: 0 });
    },
    addCall(call) {
      blocks.push({ type: "tool-call", call, taken: 0 });
    },
    takeAppended() {
      const appended: AssistantBlock[] = [];
      for (const block of blocks.slice(firstUntaken)) {
        const size = block.type === "tool-call" ? 1 : block.pieces.length;
        if (size > block.taken) appended.push(render(block, block.taken));
        block.taken = size;
      }
      firstUntaken = Math.max(0, blocks.length - 1);
      return appended;
    },
    all() {
      return blocks.map((block) => render(block, 0)).filter((block) => block.type !== "text" || block.text !== "");
    },
  };
}
