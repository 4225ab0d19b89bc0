/** kedge's words in those of the OpenTelemetry conventions for generative AI. */
import type { StopReason, Usage } from "@kedge/protocol";
import type { NoteAttributes } from "./telemetry-note.ts";

/** Vendors that the conventions call otherwise. */
const providerNames: { readonly [id: string]: string } = {
  "amazon-bedrock": "aws.bedrock",
  azure: "azure.ai.openai",
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  "google-vertex-anthropic": "gcp.vertex_ai",
  mistral: "mistral_ai",
  moonshotai: "moonshot_ai",
  xai: "x_ai",
};

const finishReasons: { readonly [Reason in StopReason]: string } = {
  end: "stop",
  "tool-calls": "tool_call",
  "output-limit": "length",
  refused: "content_filter",
  paused: "pause",
  other: "other",
};

/** Of a `provider/model`. */
export function modelAttributes(ref: string): NoteAttributes {
  const split = ref.indexOf("/");
  const provider = split < 0 ? ref : ref.slice(0, split);
  return {
    "gen_ai.provider.name": Object.hasOwn(providerNames, provider) ? (providerNames[provider] ?? provider) : provider,
    "gen_ai.request.model": modelName(ref),
  };
}

export function modelName(ref: string): string {
  return ref.slice(ref.indexOf("/") + 1);
}

/** kedge counts every token once; the conventions count cached ones within the input. */
export function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

export function usageAttributes(usage: Usage): NoteAttributes {
  return {
    "gen_ai.usage.input_tokens": inputTokens(usage),
    "gen_ai.usage.output_tokens": usage.output,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite,
    "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
  };
}

export function finishAttributes(stopReason: StopReason | undefined): NoteAttributes {
  return stopReason === undefined ? {} : { "gen_ai.response.finish_reasons": [finishReasons[stopReason]] };
}
