/** What a conversation is made of: the blocks that users, models and tools exchange. */

export type TextBlock = { readonly type: "text"; readonly text: string };

export type ReasoningBlock = { readonly type: "reasoning"; readonly text: string; readonly signature?: string };

/**
 * A request of the model to run a tool. `inputText` is the JSON text exactly as the model wrote it, so that the next
 * request repeats the same bytes; it is parsed once, by the pipeline. `incomplete` marks a call cut off in the middle,
 * which is never run.
 */
export type ToolCallBlock = {
  readonly type: "tool-call";
  readonly callId: string;
  readonly tool: string;
  readonly inputText: string;
  readonly incomplete?: true;
};

export type AssistantBlock = TextBlock | ReasoningBlock | ToolCallBlock;

/** One message as the model sees it. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[] }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly tool: string;
      readonly output: string;
      readonly isError: boolean;
    };

export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

export const noUsage: Usage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    reasoning: left.reasoning + right.reasoning,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
  };
}

/** `estimated` is true when a price was assumed rather than known. */
export type Cost = { readonly usd: number; readonly estimated: boolean };

export type StopReason = "end" | "tool-calls" | "output-limit" | "refused" | "other";

/** Which part of kedge asked for a model call. */
export type QuerySource = "main";
