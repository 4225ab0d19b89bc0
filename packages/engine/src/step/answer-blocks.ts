/** Builds the blocks of one answer from the deltas of a stream, without ever rebuilding a string. */
import type { AssistantBlock, ToolCallBlock, VendorBlock } from "@kedge/protocol";

type Growing =
  | {
      readonly type: "text" | "reasoning";
      readonly pieces: string[];
      taken: number;
      closed: boolean;
      signature?: string;
    }
  | { readonly type: "whole"; readonly block: ToolCallBlock | VendorBlock; taken: number };

export interface AnswerBlocks {
  append(type: "text" | "reasoning", text: string): void;
  /** Later deltas of the same type begin a new block. */
  close(type: "text" | "reasoning", signature: string | undefined): void;
  add(block: ToolCallBlock | VendorBlock): void;
  /** What was added since the last time this was asked; for storing progress while the stream goes on. */
  takeAppended(): readonly AssistantBlock[];
  all(): readonly AssistantBlock[];
}

export function createAnswerBlocks(): AnswerBlocks {
  const blocks: Growing[] = [];
  let firstUntaken = 0;

  function render(block: Growing, from: number): AssistantBlock {
    if (block.type === "whole") return block.block;
    const text = (from === 0 ? block.pieces : block.pieces.slice(from)).join("");
    return { type: block.type, text, ...(block.signature !== undefined && { signature: block.signature }) };
  }

  return {
    append(type, text) {
      const last = blocks.at(-1);
      if (last?.type === type && !last.closed) last.pieces.push(text);
      else blocks.push({ type, pieces: [text], taken: 0, closed: false });
    },
    close(type, signature) {
      const last = blocks.at(-1);
      const signed = signature !== undefined && { signature };
      if (last?.type === type && !last.closed) {
        last.closed = true;
        // An empty piece makes the closed block count as changed, so that its signature is stored with the progress.
        if (signature !== undefined) last.pieces.push("");
        Object.assign(last, signed);
      } else if (signature !== undefined) blocks.push({ type, pieces: [""], taken: 0, closed: true, ...signed });
    },
    add(block) {
      blocks.push({ type: "whole", block, taken: 0 });
    },
    takeAppended() {
      const appended: AssistantBlock[] = [];
      for (const block of blocks.slice(firstUntaken)) {
        const size = block.type === "whole" ? 1 : block.pieces.length;
        if (size > block.taken) appended.push(render(block, block.taken));
        block.taken = size;
      }
      firstUntaken = Math.max(0, blocks.length - 1);
      return appended;
    },
    all() {
      return blocks
        .map((block) => render(block, 0))
        .filter((block) => block.type !== "text" || block.text !== "" || block.signature !== undefined);
    },
  };
}
