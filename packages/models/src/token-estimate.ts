/** How large a conversation is: what the vendor counted last, and an estimate of everything after it. */
import type { AssistantBlock, Message, Usage } from "@kedge/protocol";

const charactersPerToken = 4;

/** A picture or document counts the same whatever its size: its base64 text says nothing about its tokens. */
const tokensPerMedium = 2_000;

/** An undercount costs a whole failed call, an overcount only a compaction that comes a little early. */
const padding = 4 / 3;

/**
 * One message and what is known of it. `usage` stands at an assistant message and is the vendor's count of the call
 * that made it. Messages that came out of one response have its `responseId`, with tool results possibly between them.
 */
export type HistoryEntry = {
  readonly message: Message;
  readonly usage?: Usage;
  readonly responseId?: string;
};

/** Estimated without asking anybody, and rather too high than too low. */
export function estimateTokens(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) tokens += unpaddedTokens(message);
  return padded(tokens);
}

/** Looks only at the end of the history: back to the last message the vendor counted, or to its first sibling. */
export function contextTokens(history: readonly HistoryEntry[]): number {
  const counted = history.findLastIndex(({ usage }) => usage !== undefined);
  const last = history[counted];
  let tokens = 0;
  const first = last?.responseId === undefined ? counted : firstOfResponse(history, counted, last.responseId);
  for (let index = first + 1; index < history.length; index += 1) {
    const entry = history[index];
    // The siblings of the counted message are part of the output that was counted.
    if (entry !== undefined && (last?.responseId === undefined || entry.responseId !== last.responseId)) {
      tokens += unpaddedTokens(entry.message);
    }
  }
  return (last?.usage === undefined ? 0 : countedTokens(last.usage)) + padded(tokens);
}

function countedTokens({ input, cacheRead, cacheWrite, output }: Usage): number {
  return input + cacheRead + cacheWrite + output;
}

function firstOfResponse(history: readonly HistoryEntry[], from: number, responseId: string): number {
  let first = from;
  for (let index = from - 1; index >= 0; index -= 1) {
    const entry = history[index];
    if (entry?.message.role !== "assistant") continue;
    if (entry.responseId !== responseId) break;
    first = index;
  }
  return first;
}

function padded(tokens: number): number {
  return Math.ceil(tokens * padding);
}

function unpaddedTokens(message: Message): number {
  switch (message.role) {
    case "user":
      return message.text.length / charactersPerToken + (message.media?.length ?? 0) * tokensPerMedium;
    case "tool":
      return message.output.length / charactersPerToken + (message.media?.length ?? 0) * tokensPerMedium;
    case "assistant": {
      let characters = 0;
      for (const block of message.content) characters += charactersOf(block);
      return characters / charactersPerToken;
    }
  }
}

function charactersOf(block: AssistantBlock): number {
  switch (block.type) {
    case "text":
    case "reasoning":
      return block.text.length;
    case "tool-call":
      return block.tool.length + block.inputText.length;
    case "vendor":
      return block.json.length;
  }
}
