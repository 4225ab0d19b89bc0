/** The models of this user on this machine: catalogue, keys, packages, proxy, patience and an eye on caches, as one. */
import { join } from "node:path";
import { costOf, createCacheWatch, createModels, createRetryWaits, type Network, waitMs } from "@kedge/models";
import type { Models } from "@kedge/protocol";
import type { Configuration } from "../configuration/load-configuration.ts";
import { openCredentials } from "../credentials/credentials.ts";
import { createKeySource } from "../credentials/key-source.ts";
import { openNetwork } from "../machine/network.ts";
import { createPackageLoader, packageDirectories } from "../provider-packages/load-package.ts";
import { openLateAccount } from "../sign-in/late-account.ts";
import { type LateSpending, lateSpending } from "../spending/late-spending.ts";
import { createCacheDiffWriter } from "../usage/cache-diff-writer.ts";
import { identityHeaders, type KedgeApp } from "./identity-headers.ts";
import { createModelCatalogue, type ModelCatalogue } from "./model-catalogue.ts";
import { readRequestExtras } from "./request-extra-variables.ts";

export type OpenModelsOptions = {
  readonly configuration: Configuration;
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly unattended: boolean;
  /** As kedge names itself to whoever an account belongs to, and to vendors. */
  readonly kedgeVersion: string;
  readonly app: KedgeApp;
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly redact: (text: string) => string;
  /** Told of what the user should know, such as a name that no model has. */
  readonly onNotice: (sentence: string) => void;
  /** Told of every key that is used, so that it can be taken out of texts. */
  readonly onKey: (key: string) => void;
};

export type OpenedModels = {
  readonly models: Models;
  readonly network: Network;
  readonly modelCatalogue: ModelCatalogue;
  /** The variable whose key is used for the model in place of the stored one, and so changes who pays. */
  readonly overridingVariable: (model: string) => string | undefined;
  /** Where the key for a model comes from, in words for a person. */
  readonly keySource: (model: string) => string;
  /** Ends the wait of a conversation before its next attempt; false where nothing waits. */
  readonly hastenRetry: (conversationId: string) => boolean;
  /** The stored key of a provider changed; the next run uses the new one. */
  readonly forgetKey: (provider: string) => void;
  /** Undefined where no day and no month is limited. */
  readonly spending: LateSpending | undefined;
};

export function openModels(options: OpenModelsOptions): OpenedModels {
  const { configuration, home, environment, userDirectory, now, redact } = options;
  const { providers } = configuration;
  const network = openNetwork(configuration.network, { environment, userDirectory });
  let credentials = openCredentials(home, environment);
  const modelCatalogue = createModelCatalogue({ home, environment, setting: configuration.catalogue, network });
  const catalogue = modelCatalogue.open();
  const waits = createRetryWaits();
  const models = createModels(providers, {
    catalogue,
    tiers: configuration.tiers,
    onNamed: options.onNotice,
    toolReferences: configuration.toolSearch.references,
    keyOf: (provider, variables) => {
      const key = credentials.find(provider, variables)?.key;
      if (key !== undefined) options.onKey(key);
      return key;
    },
    hasAccount: (provider) => credentials.account(provider) !== undefined,
    openAccount: (provider) => openLateAccount(provider, { ...options, network }),
    variable: (name) => environment[name],
    extras: readRequestExtras(environment),
    loadPackage: (name) => createPackageLoader({ directories: packageDirectories(home) })(name),
    retry: {
      clock: { now },
      random: () => (options.randomBytes(1)[0] ?? 0) / byteValues,
      wait: waitMs,
      waits,
      unattended: options.unattended,
    },
    wire: { now, ...idleTimeout(environment["KEDGE_STREAM_IDLE_MS"]) },
    network,
    ...(configuration.network.identify !== false && { identity: identityHeaders(options) }),
    cacheWatch: createCacheWatch({
      now,
      redact,
      cost: costOf,
      writeDiff: createCacheDiffWriter(join(home, "debug"), now),
    }),
  });
  return {
    models,
    network,
    modelCatalogue,
    hastenRetry: waits.hasten,
    spending: lateSpending({ limits: configuration.spending, directory: join(home, "data", "spending"), now }),
    forgetKey(provider) {
      credentials = openCredentials(home, environment);
      models.forget(provider);
    },
    keySource: (model) => createKeySource({ providers, credentials, catalogue })(model),
    overridingVariable(model) {
      const provider = model.slice(0, Math.max(0, model.indexOf("/")));
      if (providers[provider]?.apiKey !== undefined) return undefined;
      return credentials.overriding(provider, catalogue.provider(provider)?.keys ?? []);
    },
  };
}

const byteValues = 256;

/** Anything but a positive whole number leaves the default. */
function idleTimeout(given: string | undefined): { readonly idleTimeoutMs?: number } {
  const number = Number(given);
  return Number.isInteger(number) && number > 0 ? { idleTimeoutMs: number } : {};
}
