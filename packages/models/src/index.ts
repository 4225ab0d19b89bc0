/** How kedge talks to models: wire adapters, the models a configuration names, and what a call costs. */

export { createAnthropicProvider } from "./anthropic/anthropic.ts";
export { createOpenAiChatProvider } from "./chat/openai-chat.ts";
export { costOf } from "./cost.ts";
export { createGoogleProvider } from "./google/google.ts";
export {
  createModels,
  type ModelSetting,
  type ModelsOptions,
  type ProviderSetting,
  type ProviderSettings,
} from "./models-from-configuration.ts";
export { createOpenAiResponsesProvider } from "./responses/openai-responses.ts";
export type { WireProviderOptions } from "./wire/wire-provider.ts";
