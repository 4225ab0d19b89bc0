/** The Provider contract: how the engine talks to any model, and the only words it knows about one. */
import type { Cost, Message, QuerySource, StopReason, ToolCallBlock, Usage } from "./content.ts";
import type { Failure } from "./failure.ts";
import type { JsonSchema } from "./json-schema.ts";

/** US dollars per million tokens. */
export type Prices = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

export type Model = {
  /** `provider/model`, as the user writes it. */
  readonly ref: string;
  readonly provider: string;
  /** The vendor's own id. */
  readonly id: string;
  readonly contextTokens: number;
  readonly outputTokensMax: number;
  readonly prices?: Prices;
  /** True when sizes were assumed because no one stated them. */
  readonly assumed?: true;
};

export type ToolSchema = { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema };

export type ModelRequest = {
  readonly model: Model;
  readonly source: QuerySource;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  /**
   * An append-only log. As long as the array is the same object, its earlier elements have not changed, so an adapter
   * may keep their encoded form and encode only what was added since the last request.
   */
  readonly messages: readonly Message[];
  readonly outputTokensMax: number;
  /** Made by the client, sent as a header, logged when a request times out. */
  readonly requestId: string;
};

/**
 * What a provider reports while an answer arrives. Deltas may be merged: one event per network chunk is enough.
 * The last event is always `end` or `failed`, and nothing follows it.
 */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "tool-input-delta"; readonly callId: string; readonly tool: string; readonly text: string }
  | { readonly type: "tool-call"; readonly call: ToolCallBlock }
  | {
      readonly type: "end";
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly providerRequestId?: string;
    }
  | { readonly type: "failed"; readonly failure: Failure };

/** Never throws for network, request or model reasons; releases its connection on every exit path. */
export interface Provider {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type FoundModel =
  | { readonly ok: true; readonly model: Model; readonly provider: Provider }
  | { readonly ok: false; readonly failure: Failure };

/** Every model the user has configured, found by `provider/model`. */
export interface Models {
  find(ref: string): FoundModel;
  /** Known prices where stated, otherwise an assumed tier marked `estimated`. */
  cost(model: Model, usage: Usage): Cost;
}
