/** The Provider contract: how the engine talks to any model, and the only words it knows about one. */
import type {
  Cost,
  Message,
  QuerySource,
  StopReason,
  ToolCallBlock,
  Usage,
  VendorBlock,
  VendorHistory,
} from "../content.ts";
import type { Failure } from "../failure.ts";
import type { JsonSchema } from "../json/json-schema.ts";

/** US dollars per million tokens. */
export type Prices = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Where thinking has a price of its own; otherwise it is paid like output. */
  readonly reasoning?: number;
  /** Prices of the whole call once its input, cached or not, is larger than so many tokens. */
  readonly above?: { readonly inputTokens: number; readonly prices: Omit<Prices, "above"> };
};

/** How a model is told to think: not at all, by a level, by a number of tokens, or by a level that it interprets itself. */
export type ReasoningControl = "none" | "effort" | "budget" | "adaptive";

export type ModelCapabilities = {
  readonly tools: boolean;
  readonly reasoning: ReasoningControl;
  readonly images: boolean;
  readonly documents: boolean;
  readonly mediaInToolResults: boolean;
  readonly temperature: boolean;
  readonly cacheMarks: boolean;
  readonly webSearch: boolean;
  /** It takes a result that names tools in place of their schemas, and reads these from the list; not without this. */
  readonly toolReferences?: boolean;
  /** False where a request that names the tool to be called is rejected. */
  readonly forcedToolChoice?: false;
};

/** What one vendor or model wants otherwise than the wire it speaks. */
export type Quirk =
  /** Ids of calls are exactly nine letters and digits. */
  | "nine-character-call-ids"
  /** A user text may not follow a tool result directly. */
  | "assistant-after-results"
  /** A conversation with calls in it needs at least one tool in the request. */
  | "tools-after-calls"
  /** The limit of the answer is called `max_completion_tokens`. */
  | "max-completion-tokens"
  /** A call is rejected when the reasoning before it, in its side field, is missing. */
  | "reasoning-returned"
  /** Reasoning comes as `<think>` spans inside the text. */
  | "think-spans"
  /** No `stream_options`, no usage in the stream. */
  | "no-stream-options";

export type Model = {
  /** `provider/model`, as the user writes it. */
  readonly ref: string;
  readonly provider: string;
  /** The vendor's own id. */
  readonly id: string;
  readonly contextTokens: number;
  readonly outputTokensMax: number;
  /** A request with more tools is refused; no limit without this. */
  readonly toolsMax?: number;
  readonly prices?: Prices;
  /** What a person calls it. */
  readonly name?: string;
  /** Absent when nobody stated them: then text and tools are assumed, and nothing else. */
  readonly capabilities?: ModelCapabilities;
  /** Sent with every request that does not ask for thinking. */
  readonly temperature?: number;
  readonly quirks?: readonly Quirk[];
  /** True when sizes were assumed because no one stated them. */
  readonly assumed?: true;
};

export type ToolSchema = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** It joined the list because the model searched for it. */
  readonly isFound?: true;
};

export const efforts = ["off", "minimal", "low", "medium", "high", "max"] as const;

export type Effort = (typeof efforts)[number];

/** How much a model shall think. `tokensMax` of 0 means not at all; nothing given leaves it to the model. */
export type ReasoningWish = { readonly effort?: Effort; readonly tokensMax?: number };

/** A tool that runs at the vendor, with no chance to ask; its permission is settled before it is named here. */
export type ServerTool = { readonly name: "web_search"; readonly usesMax: number };

/** Whether the model may, must or must not call tools, or which one it must call; `parallel: false` asks for one call at most. */
export type ToolChoice = ({ readonly use: "auto" | "required" | "none" } | { readonly tool: string }) & {
  readonly parallel?: false;
};

export type ModelRequest = {
  readonly model: Model;
  readonly source: QuerySource;
  /** The same for requests of one conversation, so that the vendor finds its cache again. */
  readonly conversationId: string;
  /** What stays equal from session to session; nothing that varies between turns stands before its end. */
  readonly system: string;
  /** What follows it and holds for this session: the environment, the date. */
  readonly systemTail?: string;
  readonly tools: readonly ToolSchema[];
  /**
   * An append-only log. As long as the array is the same object, its earlier elements have not changed, so an adapter
   * may keep their encoded form and encode only what was added since the last request.
   */
  readonly messages: readonly Message[];
  readonly serverTools?: readonly ServerTool[];
  /** The model chooses freely without it. A vendor that cannot be told so ignores it, so the answer must be checked. */
  readonly toolChoice?: ToolChoice;
  readonly reasoning?: ReasoningWish;
  readonly outputTokensMax: number;
  /** Made by the client, sent as a header, logged when a request times out. */
  readonly requestId: string;
  /** Sent beside the vendor's own, which they never replace; for code from outside. */
  readonly headers?: { readonly [name: string]: string };
};

/** Why fewer tokens came from the vendor's cache than the turn before, and what that cost. */
export type CacheBreak = {
  readonly cause: string;
  readonly tokensLost: number;
  readonly usd: number;
  /** Where the difference of the two prompts was written. */
  readonly diffFile?: string;
};

/**
 * What a provider reports while an answer arrives. Deltas may be merged: one event per network chunk is enough.
 * The last event is always `end` or `failed`, and nothing follows it. `retrying` comes only while nothing of the answer
 * was reported: an answer that breaks later ends in `failed`, and whoever asked decides whether to begin again.
 */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** Closes the block that the deltas before built; with a signature and no such delta, the block is empty. */
  | { readonly type: "block-end"; readonly block: "text" | "reasoning"; readonly signature?: string }
  | { readonly type: "tool-input-delta"; readonly callId: string; readonly tool: string; readonly text: string }
  | { readonly type: "tool-call"; readonly call: ToolCallBlock }
  | { readonly type: "vendor-block"; readonly block: VendorBlock }
  | {
      readonly type: "retrying";
      /** The attempt that failed, counted from 1. */
      readonly attempt: number;
      /** Absent when there is no limit. */
      readonly attemptsMax?: number;
      readonly delayMs: number;
      readonly failure: Failure;
    }
  /** Nothing has arrived for so long; the request goes on. */
  | { readonly type: "stalled"; readonly idleMs: number }
  /** Something the user should know, such as a limit that comes near. */
  | { readonly type: "notice"; readonly text: string }
  | {
      readonly type: "end";
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly providerRequestId?: string;
      readonly cacheBreak?: CacheBreak;
    }
  | { readonly type: "failed"; readonly failure: Failure };

/** Never throws for network, request or model reasons; releases its connection on every exit path. */
export interface Provider {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /**
   * Has the vendor shorten a conversation by itself; absent where it cannot. Undefined once it has said that it has no
   * such thing after all. One attempt, since whoever asks has another way.
   */
  compact?(request: ModelRequest, signal: AbortSignal): Promise<VendorCompaction | undefined>;
}

export type VendorCompaction =
  | { readonly ok: true; readonly history: VendorHistory; readonly usage: Usage }
  | { readonly ok: false; readonly failure: Failure };

export type FoundModel =
  | { readonly ok: true; readonly model: Model; readonly provider: Provider }
  | { readonly ok: false; readonly failure: Failure };

/** Every model the user has configured, found by `provider/model`. */
export interface Models {
  /**
   * With `beside`, the model of the session, `ref` may be any name that others have for a model: an id without its
   * vendor, or a tier such as `fast` or `haiku`. One that nobody has stands for the session's own model.
   */
  find(ref: string, beside?: string): Promise<FoundModel>;
  /** 0 marked `estimated` where no price is known: a price is never guessed. */
  cost(model: Model, usage: Usage): Cost;
}
