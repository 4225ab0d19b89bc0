/** Makes the provider for one vendor: attempts on its wire, their repetition around them, and an eye on its cache. */
import { FailureError, type Provider } from "@kedge/protocol";
import type { Account } from "./account/account.ts";
import { createAnthropicProvider } from "./anthropic/anthropic.ts";
import type { CacheTtl } from "./anthropic/anthropic-request.ts";
import type { CacheWatch } from "./cache-break/cache-watch.ts";
import { withCacheWatch } from "./cache-break/with-cache-watch.ts";
import type { WireName } from "./catalogue/catalogue-row.ts";
import { comparableExtras, type RequestExtras } from "./catalogue/request-extras.ts";
import type { Reached } from "./catalogue/resolve-provider.ts";
import { createOpenAiChatProvider } from "./chat/openai-chat.ts";
import { createGoogleProvider } from "./google/google.ts";
import type { Network } from "./http/network.ts";
import { createLimitWatch } from "./limits/limit-watch.ts";
import { readRateLimits } from "./limits/rate-limits.ts";
import { createOpenAiResponsesProvider } from "./responses/openai-responses.ts";
import type { RetryableProvider } from "./retry/retryable-provider.ts";
import { createRetryingProvider, type RetryOptions } from "./retry/retrying-provider.ts";
import type { HeaderFields } from "./wire/request-headers.ts";
import type { WireProviderOptions } from "./wire/wire-provider.ts";

export type ProviderOptions = {
  /** Without it a request is tried once. */
  readonly retry?: Omit<RetryOptions, "provider">;
  /** Gives the exports of an installed package; without it only kedge's own wires are spoken. */
  readonly loadPackage?: (packageName: string) => Promise<unknown>;
  /** What every request of every vendor keeps to. */
  readonly wire?: Pick<WireProviderOptions, "now" | "overallTimeoutMs" | "idleTimeoutMs">;
  readonly network?: Network;
  /** The account that the user signed in to a provider with. */
  readonly openAccount?: (provider: string) => Account;
  /** The headers by which kedge names itself; without them it does not. */
  readonly identity?: HeaderFields;
  /** Without it lost caches go unnoticed. */
  readonly cacheWatch?: CacheWatch;
};

export type Vendor = {
  readonly name: string;
  readonly reached: Reached;
  /** The variable that holds its key, for messages about it. */
  readonly keyName: string | undefined;
  readonly cacheTtl: CacheTtl | undefined;
  /** Whether the user chose its address, so that it may learn which session asks. */
  readonly isUserHost: boolean;
  /** What the user adds to its requests; part of what it is reached with, too. */
  readonly extras?: RequestExtras;
  /** Whether it shortens conversations by itself. */
  readonly compaction: boolean;
};

type WireOptions = WireProviderOptions & { readonly cacheTtl?: CacheTtl };

/** The wires this version speaks; a new one is a row here. */
const wires: { readonly [name in WireName]: (options: WireOptions) => RetryableProvider } = {
  "openai-chat": createOpenAiChatProvider,
  "openai-responses": createOpenAiResponsesProvider,
  anthropic: createAnthropicProvider,
  google: createGoogleProvider,
};

/** A lost cache is judged by the attempt that was answered, so its watch stands outside. */
export async function makeProvider(vendor: Vendor, options: ProviderOptions): Promise<Provider> {
  const account = vendor.reached.usesAccount === true ? options.openAccount?.(vendor.name) : undefined;
  const attempts = await (account === undefined
    ? makeAttempts(vendor, options)
    : makeAccountAttempts(vendor, account, options));
  const { retry, cacheWatch } = options;
  const renewal = account === undefined ? {} : { refreshCredentials: () => account.renew() };
  const provider =
    retry === undefined ? attempts : createRetryingProvider({ ...retry, ...renewal, provider: attempts });
  if (cacheWatch === undefined) return provider;
  const lifetime = vendor.cacheTtl === undefined ? {} : { ttl: vendor.cacheTtl };
  const extra = { ...lifetime, ...comparableExtras(vendor.extras ?? {}) };
  return withCacheWatch(provider, cacheWatch, () => extra);
}

/** Loaded late: most vendors are reached with a key. */
async function makeAccountAttempts(
  vendor: Vendor,
  account: Account,
  options: ProviderOptions,
): Promise<RetryableProvider> {
  const { createAccountProvider, withCredential } = await import("./account/account-provider.ts");
  return createAccountProvider(account, (credential) =>
    makeAttempts({ ...vendor, reached: withCredential(vendor.reached, credential) }, options),
  );
}

async function makeAttempts(vendor: Vendor, options: ProviderOptions): Promise<RetryableProvider> {
  const { reached, name, keyName, cacheTtl, compaction } = vendor;
  const { wire = {}, loadPackage = loadNothing, network = {} } = options;
  const common = {
    ...wire,
    ...(keyName === undefined ? {} : { keyName }),
    watchLimits: createHeaderWatch(wire.now),
    ...(options.identity === undefined
      ? {}
      : { identity: { headers: options.identity, namesSession: vendor.isUserHost } }),
  };
  switch (reached.kind) {
    case "wire": {
      const { kind: _kind, api, usesAccount: _usesAccount, ...address } = reached;
      const { ca, client } = network;
      const proxy = network.proxyFor?.(new URL(address.baseUrl));
      const certificates = { ...(ca === undefined ? {} : { ca }), ...(client === undefined ? {} : { client }) };
      const route = { ...(proxy === undefined ? {} : { proxy }), ...certificates };
      const kept = { compaction, ...(cacheTtl === undefined ? {} : { cacheTtl }) };
      return wires[api]({ ...common, ...route, ...address, ...kept });
    }
    case "package": {
      const { kind: _kind, usesAccount: _usesAccount, ...chosen } = reached;
      // Loaded late: no vendor with a wire of ours needs it.
      const { createAiSdkProvider } = await import("./ai-sdk/ai-sdk-provider.ts");
      return createAiSdkProvider({ ...common, network, ...chosen, providerName: name, load: loadPackage });
    }
  }
}

/** One per vendor, since limits belong to an account. */
function createHeaderWatch(now: (() => number) | undefined): NonNullable<WireProviderOptions["watchLimits"]> {
  const watch = createLimitWatch();
  /** Equal heads are the same object, and most servers say nothing of limits. */
  let withoutLimits: unknown;
  return (headers) => {
    if (headers === withoutLimits) return undefined;
    const nowMs = now?.() ?? Number.NaN;
    const limits = readRateLimits(headers, nowMs);
    if (limits !== undefined) return watch(limits, nowMs);
    withoutLimits = headers;
    return undefined;
  };
}

async function loadNothing(packageName: string): Promise<never> {
  throw new FailureError({
    code: "configuration",
    message: `The package ${packageName} cannot be loaded here.`,
    retryable: false,
  });
}
