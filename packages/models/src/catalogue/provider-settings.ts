/** What a user may say about vendors and models: the member `provider` of the configuration, already validated. */
import type { JsonObject, Prices, Quirk, ReasoningControl } from "@kedge/protocol";

export type ModelSetting = {
  readonly name?: string;
  /** Tokens the model can see. */
  readonly context?: number;
  /** Tokens it can answer with. */
  readonly output?: number;
  /** US dollars per million tokens; laid over the prices of the catalogue. */
  readonly cost?: Partial<Omit<Prices, "above">>;
  readonly reasoning?: ReasoningControl;
  readonly images?: boolean;
  readonly documents?: boolean;
  /** Sent with requests that do not ask for thinking. */
  readonly temperature?: number;
};

export type ProviderSetting = {
  /** The wire the vendor speaks, or `ai-sdk`. */
  readonly api?: string;
  readonly baseURL?: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Fields added to every request body. */
  readonly body?: JsonObject;
  /** The package that speaks for the vendor; with it `api` need not be stated. */
  readonly npm?: string;
  /** What that package is told beside key, URL and headers. */
  readonly options?: { readonly [name: string]: unknown };
  /** Regions of a cloud by patterns of model ids, such as `anthropic.*`. */
  readonly regions?: { readonly [pattern: string]: string };
  readonly quirks?: readonly Quirk[];
  /** How long a vendor with cache marks shall keep what was sent. */
  readonly cacheTtl?: "5m" | "1h" | "off";
  /** Whether the vendor shortens conversations by itself; as the catalogue says at the vendor's own address without it. */
  readonly compaction?: boolean;
  /** Without this list any model id is accepted. */
  readonly models?: { readonly [id: string]: ModelSetting };
};

export type ProviderSettings = { readonly [provider: string]: ProviderSetting };
