/** How kedge talks to models: wire adapters, the catalogue of vendors, and what a call costs. */

export type { Account, AccountCredential, CurrentCredential } from "./account/account.ts";
export { createAnthropicProvider } from "./anthropic/anthropic.ts";
export { createCacheWatch } from "./cache-break/cache-watch.ts";
export {
  type Api,
  apis,
  type CatalogueModel,
  type CatalogueProvider,
  quirkNames,
  reasoningControls,
} from "./catalogue/catalogue-row.ts";
export { modelsWithoutReferences } from "./catalogue/describe-model.ts";
export { type ListedModel, type ListedProvider, listModels } from "./catalogue/list-models.ts";
export { type Catalogue, isShipped, openCatalogue } from "./catalogue/open-catalogue.ts";
export type { ModelSetting, ProviderSetting, ProviderSettings } from "./catalogue/provider-settings.ts";
export { type Refreshed, type RefreshOptions, refreshCatalogue } from "./catalogue/refresh-catalogue.ts";
export type { RequestExtras } from "./catalogue/request-extras.ts";
export type { Credentials } from "./catalogue/resolve-provider.ts";
export { createOpenAiChatProvider } from "./chat/openai-chat.ts";
export { checkKey, type KeyCheck } from "./check-key.ts";
export { costOf } from "./cost.ts";
export { createModels, type ModelsOptions } from "./create-models.ts";
export { createGoogleProvider } from "./google/google.ts";
export { type FetchedText, getText } from "./http/get-text.ts";
export { type ClientCertificate, type Network, routeTo } from "./http/network.ts";
export { openProxyWay, type ProxyWay } from "./http/proxy-way.ts";
export { findLocalServers, type LocalServer } from "./local-servers/find-local-servers.ts";
export { createOpenAiResponsesProvider } from "./responses/openai-responses.ts";
export { createRetryWaits } from "./retry/retry-waits.ts";
export { waitMs } from "./retry/wait.ts";
export { findTier, type NamedModel, type NameParts } from "./tiers/name-model.ts";
export { type Tier, type TierModels, tierNames, tierOf } from "./tiers/tier-names.ts";
export { fixedBodyFields } from "./wire/extra-body.ts";
export type { WireProviderOptions } from "./wire/wire-provider.ts";
