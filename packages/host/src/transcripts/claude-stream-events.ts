/** An answer as it arrives, as the events of Anthropic's message stream that clients of the Claude Agent SDK read. */
import type { JsonObject, Signal } from "@kedge/protocol";

export type ClaudeBlock =
  | { readonly type: "text"; readonly text: string; readonly citations: null }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: JsonObject };

export type StreamedMessage = {
  readonly content: readonly ClaudeBlock[];
  readonly stop_reason: string | null;
  readonly usage: object;
};

interface ClaudeStreamEvents {
  start(message: object): readonly object[];
  add(delta: Signal): readonly object[];
  /** Closes the message, with the blocks that were not told piece by piece. */
  end(message: StreamedMessage): readonly object[];
}

type Prose = "text" | "thinking";

/**
 * Text and thinking are passed on as they arrive. The input of a call follows in one piece at the end: its fields have
 * other names there, which needs all of it.
 */
export function createClaudeStreamEvents(): ClaudeStreamEvents {
  let isStarted = false;
  let open: Prose | undefined;
  let index = 0;
  const told = new Set<Prose>();

  function close(): readonly object[] {
    if (open === undefined) return [];
    open = undefined;
    const stop = { type: "content_block_stop", index };
    index += 1;
    return [stop];
  }

  function whole(block: ClaudeBlock): readonly object[] {
    const events = [start(block, index), piece(block, index), { type: "content_block_stop", index }];
    index += 1;
    return events;
  }

  return {
    start(message) {
      isStarted = true;
      open = undefined;
      index = 0;
      told.clear();
      return [{ type: "message_start", message }];
    },
    add(delta) {
      const block = proseOf(delta);
      if (block === undefined || !isStarted) return [];
      const opened = open === block.type ? [] : [...close(), start(block, index)];
      open = block.type;
      told.add(block.type);
      return [...opened, piece(block, index)];
    },
    end({ content, stop_reason, usage }) {
      if (!isStarted) return [];
      isStarted = false;
      const rest = content.filter(({ type }) => type === "tool_use" || !told.has(type));
      return [
        ...close(),
        ...rest.flatMap(whole),
        {
          type: "message_delta",
          delta: { stop_reason, stop_sequence: null, stop_details: null, container: null },
          usage: deltaUsage(usage),
          context_management: null,
        },
        { type: "message_stop" },
      ];
    },
  };
}

/** The counts that the end of a stream repeats: fewer than those of a message. */
function deltaUsage(usage: object): object {
  return Object.fromEntries(Object.entries(usage).filter(([name]) => deltaUsageNames.has(name)));
}

const deltaUsageNames: ReadonlySet<string> = new Set([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "output_tokens_details",
  "server_tool_use",
  "iterations",
  "fallback_credit",
]);

function proseOf(delta: Signal): Extract<ClaudeBlock, { type: Prose }> | undefined {
  if (delta.type === "text.delta") return { type: "text", text: delta.text, citations: null };
  if (delta.type === "reasoning.delta") return { type: "thinking", thinking: delta.text, signature: "" };
  return undefined;
}

function start(block: ClaudeBlock, index: number): object {
  return { type: "content_block_start", index, content_block: emptied(block) };
}

function emptied(block: ClaudeBlock): ClaudeBlock {
  switch (block.type) {
    case "text":
      return { ...block, text: "" };
    case "thinking":
      return { ...block, thinking: "" };
    case "tool_use":
      return { ...block, input: {} };
  }
}

function piece(block: ClaudeBlock, index: number): object {
  return { type: "content_block_delta", index, delta: deltaOf(block) };
}

function deltaOf(block: ClaudeBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text_delta", text: block.text };
    case "thinking":
      return { type: "thinking_delta", thinking: block.thinking };
    case "tool_use":
      return { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  }
}
