/** What a conversation is made of: the blocks that users, models and tools exchange. */

/**
 * A `signature` is what a vendor attached to a block so that it gets it back with the next request, in a form only the
 * wire that wrote it reads. It is sent only to the model that made the block.
 */
export type TextBlock = { readonly type: "text"; readonly text: string; readonly signature?: string };

/** The text may be empty: some vendors tell nothing of what a model thought and still want its signature back. */
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
  readonly signature?: string;
};

/**
 * A block that only its vendor understands, returned to the model that made it exactly as it came: calls of tools that
 * run at the vendor, their results, and hidden reasoning. `kind` is the vendor's word for it, `json` its whole text.
 */
export type VendorBlock = { readonly type: "vendor"; readonly kind: string; readonly json: string };

export type AssistantBlock = TextBlock | ReasoningBlock | ToolCallBlock | VendorBlock;

/** A picture or a document. `name` is what a person calls it, such as its file name. */
export type Media = {
  readonly name: string;
  readonly mediaType: string;
  readonly base64: string;
  /** Small print, which a vendor should not shrink if it can be told. */
  readonly detail?: "original";
};

/**
 * The older part of a conversation in a form that only the vendor reads that made it. It goes to models of this provider
 * and family; every other one is shown a text in its place.
 */
export type VendorHistory = {
  readonly provider: string;
  readonly family: string;
  /** The vendor's own elements as they came, with commas between them. */
  readonly json: string;
  /** What they have by the vendor's count: their length says nothing. */
  readonly tokens: number;
};

/** One message as the model sees it. `model` is the reference of the one that answered. */
export type Message =
  | {
      readonly role: "user";
      readonly text: string;
      readonly media?: readonly Media[];
      /** What a model that reads the history is shown in the place of all this, with a text beside it. */
      readonly instead?: { readonly history: VendorHistory; readonly text: string };
    }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[]; readonly model?: string }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly tool: string;
      readonly output: string;
      readonly isError: boolean;
      readonly media?: readonly Media[];
      /** The tools that this search found; the text names them as well. */
      readonly foundTools?: readonly string[];
    };

export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Searches the vendor made by itself; absent means none. */
  readonly webSearches?: number;
};

export const noUsage: Usage = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

export function addUsage(left: Usage, right: Usage): Usage {
  const webSearches = (left.webSearches ?? 0) + (right.webSearches ?? 0);
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    reasoning: left.reasoning + right.reasoning,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    ...(webSearches > 0 && { webSearches }),
  };
}

/** `estimated` is true when part of the cost is unknown: no price was stated or nothing was counted. `usd` lacks that part. */
export type Cost = { readonly usd: number; readonly estimated: boolean };

/** `paused` asks for the conversation again, with what was answered so far. */
export type StopReason = "end" | "tool-calls" | "output-limit" | "refused" | "paused" | "other";

/** Which part of kedge asked for a model call. What is `background` never makes a person wait and gives up early. */
export type QuerySource = "main" | "subagent" | "fork" | "compaction" | "background";
