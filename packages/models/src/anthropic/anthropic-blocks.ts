/** Keeps the content blocks of one Messages answer apart, and reports what each was signed with. */
import type { DeltaQueue } from "../wire/delta-queue.ts";
import { type JsonMembers, parseJsonObject } from "../wire/vendor-json.ts";
import type { AnthropicBlock } from "./anthropic-frame.ts";

export type BlockStart = Exclude<AnthropicBlock, { readonly kind: "call" }>;

export type AnthropicBlocks = {
  /** Closes the block before it. */
  readonly begin: (index: number, block: BlockStart) => void;
  /** A piece of text or reasoning arrived; its block begins here if no event said so. */
  readonly continue: (kind: "text" | "reasoning") => void;
  readonly sign: (signature: string) => void;
  readonly cite: (citation: unknown) => void;
  /** True when the piece belongs to a block of the vendor's own, and not to a call. */
  readonly addInput: (index: number, text: string) => boolean;
  /** A piece of a kind unknown here arrived. */
  readonly spoil: (index: number) => void;
  readonly close: () => void;
  /** Something that is none of these blocks follows. */
  readonly interrupt: () => void;
};

type OpenBlock =
  | { readonly kind: "text"; readonly citations: unknown[]; filled: boolean }
  | { readonly kind: "reasoning"; signature: string; filled: boolean }
  | {
      readonly kind: "vendor";
      readonly index: number;
      readonly name: string;
      readonly members: JsonMembers;
      inputText: string;
      /** False once it got pieces that nobody here can put in their place. */
      whole: boolean;
    };

export function createAnthropicBlocks(queue: DeltaQueue): AnthropicBlocks {
  let open: OpenBlock | undefined;
  /** The kind of the last block, as long as its end was not reported: one of the same kind would run into it. */
  let unended: "text" | "reasoning" | undefined;

  function start(block: OpenBlock): void {
    close();
    if (block.kind === unended) end(block.kind);
    unended = undefined;
    open = block;
  }

  function end(block: "text" | "reasoning", signature?: string): void {
    queue.flush();
    queue.push({ type: "block-end", block, ...(signature !== undefined && { signature }) });
  }

  function close(): void {
    const block = open;
    open = undefined;
    switch (block?.kind) {
      case undefined:
        return;
      case "text":
        if (block.citations.length > 0) end("text", JSON.stringify(block.citations));
        else if (block.filled) unended = "text";
        return;
      case "reasoning":
        if (block.signature !== "") end("reasoning", block.signature);
        else if (block.filled) unended = "reasoning";
        return;
      case "vendor": {
        const json = vendorJson(block);
        if (json === undefined) return;
        queue.flush();
        queue.push({ type: "vendor-block", block: { type: "vendor", kind: block.name, json } });
      }
    }
  }

  return {
    begin(index, block) {
      switch (block.kind) {
        case "text":
          return start({ kind: "text", citations: [...block.citations], filled: false });
        case "reasoning":
          return start({ kind: "reasoning", signature: block.signature, filled: false });
        case "vendor":
          return start({ ...block, index, inputText: "", whole: true });
      }
    },
    continue(kind) {
      if (open?.kind === kind) open.filled = true;
      else start(kind === "text" ? { kind, citations: [], filled: true } : { kind, signature: "", filled: true });
    },
    sign(signature) {
      if (open?.kind === "reasoning") open.signature = signature;
      else start({ kind: "reasoning", signature, filled: false });
    },
    cite(citation) {
      if (open?.kind === "text") open.citations.push(citation);
    },
    addInput(index, text) {
      if (open?.kind !== "vendor" || open.index !== index) return false;
      open.inputText += text;
      return true;
    },
    spoil(index) {
      if (open?.kind === "vendor" && open.index === index) open.whole = false;
    },
    close,
    interrupt() {
      close();
      unended = undefined;
    },
  };
}

/** Undefined when the block has no kind or was cut off: the vendor rejects half of one. */
function vendorJson(block: Extract<OpenBlock, { readonly kind: "vendor" }>): string | undefined {
  if (!block.whole || block.name === "") return undefined;
  if (block.inputText.trim() === "") return JSON.stringify(block.members);
  const input = parseJsonObject(block.inputText);
  return input === undefined ? undefined : JSON.stringify({ ...block.members, input });
}
