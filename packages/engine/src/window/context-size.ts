/** How large the conversation is: what the vendor counted last, and an estimate of everything since then. */
import type { ContextAnchor, ConversationItem, SessionState, ToolSchema } from "@kedge/protocol";
import { padTokens, tokensOfItem, tokensOfPrompt, tokensOfText } from "./estimate-tokens.ts";

export type ContextTokens = {
  readonly tokens: number;
  /** True when the vendor counted most of it. */
  readonly isMeasured: boolean;
  readonly parts: {
    /** Reported with the last answer. */
    readonly reported: number;
    /** Instructions and tools, or what they grew by since the last answer. */
    readonly fixed: number;
    /** Messages that nobody counted yet. */
    readonly estimated: number;
  };
};

/** What a request has beside its messages. */
export type RequestFrame = {
  readonly system: string;
  readonly systemTail?: string;
  readonly tools: readonly ToolSchema[];
};

export type RequestSize = {
  /** The reference of the model that will be asked: what another one counted says nothing. */
  readonly model: string;
  /** Of everything that is not a message. */
  readonly fixedTokens: number;
};

/** One per session. It looks at each item once, so that a long conversation costs no more per step than a short one. */
export interface ContextSize {
  /** Ask with each request, and with what that one carries: growth is measured from the request before. */
  contextTokens(state: SessionState, request: RequestSize): ContextTokens;
  fixedTokens(frame: RequestFrame): number;
}

type Sums = {
  readonly items: readonly ConversationItem[];
  /** At each place the tokens of all items before it, not padded. */
  readonly before: number[];
};

type Frame = RequestSize & { readonly anchor: ContextAnchor | undefined };

export function createContextSize(): ContextSize {
  let sums: Sums = { items: [], before: [0] };
  let last: Frame | undefined;
  /** What the request carried whose answer was counted; undefined when this process did not send it. */
  let measured: Frame | undefined;
  const toolTokens = new WeakMap<ToolSchema, number>();

  function contextTokens(state: SessionState, request: RequestSize): ContextTokens {
    sums = addedItems(sums, state.items);
    const anchor = state.anchor?.model === request.model ? state.anchor : undefined;
    if (anchor !== undefined && measured?.anchor !== anchor) {
      measured = last?.model === anchor.model && last.anchor !== anchor ? { ...last, anchor } : undefined;
    }
    last = { ...request, anchor };
    const counted = anchor === undefined ? 0 : (sums.before[anchor.itemCount] ?? 0);
    const newer = (sums.before.at(-1) ?? 0) - counted + tokensOfQueue(state);
    const parts = {
      reported: anchor?.tokens ?? 0,
      fixed: anchor === undefined ? request.fixedTokens : growth(request, measured),
      estimated: padTokens(newer),
    };
    const tokens = parts.reported + parts.fixed + parts.estimated;
    return { tokens, isMeasured: anchor !== undefined, parts };
  }

  function tokensOfTool(tool: ToolSchema): number {
    const known = toolTokens.get(tool);
    if (known !== undefined) return known;
    const { name, description, inputSchema } = tool;
    const tokens = tokensOfText(name) + tokensOfText(description) + tokensOfText(JSON.stringify(inputSchema));
    toolTokens.set(tool, tokens);
    return tokens;
  }

  return {
    contextTokens,
    fixedTokens({ system, systemTail, tools }) {
      let tokens = tokensOfText(system) + tokensOfText(systemTail ?? "");
      for (const tool of tools) tokens += tokensOfTool(tool);
      return padTokens(tokens);
    },
  };
}

/** As long as the array is the same object, its items have not changed. */
function addedItems(sums: Sums, items: readonly ConversationItem[]): Sums {
  const { before } = sums.items === items && sums.before.length <= items.length + 1 ? sums : { before: [0] };
  let total = before.at(-1) ?? 0;
  for (let index = before.length - 1; index < items.length; index += 1) {
    const item = items[index];
    if (item !== undefined) total += tokensOfItem(item);
    before.push(total);
  }
  return { items, before };
}

/** What was said and enters the conversation with the next step, not padded. */
export function tokensOfQueue({ queue, runId }: SessionState): number {
  let tokens = 0;
  for (const prompt of queue) {
    if (prompt.delivery === "steer" || prompt.runId === runId) tokens += tokensOfPrompt(prompt);
  }
  return tokens;
}

function growth({ fixedTokens }: RequestSize, measured: Frame | undefined): number {
  return measured === undefined ? 0 : Math.max(0, fixedTokens - measured.fixedTokens);
}
