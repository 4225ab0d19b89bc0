/** Providers and their models for clients, and the keys that are stored for them. No key ever comes back out. */
import { findLocalServers, type ListedModel, type ListedProvider, listModels } from "@kedge/models";
import {
  type CommandAnswer,
  type CommandOf,
  type ListedModelSummary,
  notFound,
  type QueryAnswer,
  refused,
} from "@kedge/protocol";
import { type FoundKey, openCredentials } from "../credentials/credentials.ts";
import { checkProviderKey } from "../models/model-catalogue.ts";
import type { SignInDesk } from "../sign-in/sign-in-desk.ts";
import type { HostDeskParts } from "./host-desk.ts";

type ProviderParts = Pick<
  HostDeskParts,
  "configuration" | "home" | "environment" | "modelCatalogue" | "network" | "onKey" | "forgetKey"
>;

export function listProviders(
  parts: ProviderParts,
  signIns: Pick<SignInDesk, "methods">,
): QueryAnswer<"provider.list"> {
  const { configuration, environment, modelCatalogue } = parts;
  const keys = new Map<string, FoundKey>();
  const credentials = openCredentials(parts.home.directory, environment);
  const listed = listModels(configuration.providers, {
    catalogue: modelCatalogue.open(),
    localServers: [],
    keyOf: (provider, variables) => {
      const found = credentials.find(provider, variables);
      if (found !== undefined) keys.set(provider, found);
      return found?.key;
    },
    hasAccount: (provider) => credentials.account(provider) !== undefined,
    variable: (name) => environment[name],
  });
  const providers = listed.map((provider) => {
    const isInSettings = settingOf(parts, provider.id)?.apiKey !== undefined;
    const source = isInSettings ? "configuration" : keySource(keys.get(provider.id));
    const hasAccount = source === undefined && credentials.account(provider.id) !== undefined;
    const logins = signIns.methods(provider.id).map(({ id, label, notice, missing }) => ({
      method: id,
      label,
      notice,
      ...(missing !== undefined && { missing }),
    }));
    return {
      ...summaryOf(provider, hasAccount ? "account" : source),
      ...(logins.length > 0 && { logins }),
    };
  });
  const { model } = configuration;
  return { ok: true, value: { ...(model !== undefined && { model }), providers } };
}

function summaryOf({ id: providerId, name, missing, models }: ListedProvider, source: string | undefined) {
  return {
    providerId,
    name,
    hasKey: missing === undefined,
    ...(source !== undefined && { keySource: source }),
    models: models.map(modelSummary),
  };
}

function keySource(found: FoundKey | undefined): string | undefined {
  if (found === undefined) return undefined;
  return found.variable === undefined ? "stored key" : `environment variable ${found.variable}`;
}

function modelSummary(model: ListedModel): ListedModelSummary {
  const { ref, name = ref, contextTokens, outputTokensMax, prices, capabilities } = model;
  return {
    model: ref,
    name,
    contextTokens,
    outputTokens: outputTokensMax,
    ...(prices !== undefined && { inputUsdPerMillion: prices.input, outputUsdPerMillion: prices.output }),
    ...(capabilities !== undefined && {
      hasTools: capabilities.tools,
      hasReasoning: capabilities.reasoning !== "none",
      hasVision: capabilities.images,
    }),
  };
}

/** Each server is asked for a fraction of a second; this ends the search when many descriptions add up. */
const searchMsMax = 900;

/** A server that the user set up at another port of this machine is looked for there. */
export async function findServers(parts: ProviderParts): Promise<QueryAnswer<"server.find">> {
  const catalogue = parts.modelCatalogue.open();
  const local = catalogue.ids().flatMap((id) => {
    const row = catalogue.provider(id);
    if (row?.local === undefined) return [];
    const port = loopbackPort(settingOf(parts, id)?.baseURL) ?? row.local.ports[0];
    return port === undefined ? [] : [{ ...row, server: row.local.server, port }];
  });
  const found = await findLocalServers({
    signal: AbortSignal.timeout(searchMsMax),
    ports: Object.fromEntries(local.map(({ server, port }) => [server, port])),
  });
  const servers = found.flatMap(({ provider, baseURL: url, models }) => {
    const row = local.find(({ server }) => server === provider);
    return row === undefined ? [] : [{ providerId: row.id, name: row.name, url, models: models.map(({ id }) => id) }];
  });
  return { ok: true, value: { servers } };
}

function loopbackPort(baseUrl: string | undefined): number | undefined {
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (url?.protocol !== "http:" || !["127.0.0.1", "localhost"].includes(url.hostname)) return undefined;
  return url.port === "" ? undefined : Number(url.port);
}

export function storeKey(parts: ProviderParts, command: CommandOf<"credential.set">): CommandAnswer<"credential.set"> {
  const { providerId, key } = command;
  if (key.trim() === "") return refused("A key must not be empty.");
  if (!isKnown(parts, providerId)) return notFound("provider", providerId);
  openCredentials(parts.home.directory, parts.environment).store(providerId, key.trim());
  parts.onKey(key.trim());
  parts.forgetKey(providerId);
  return { ok: true, value: {} };
}

export function removeKey(
  { home, environment, forgetKey }: ProviderParts,
  { providerId }: CommandOf<"credential.remove">,
): CommandAnswer<"credential.remove"> {
  const isRemoved = openCredentials(home.directory, environment).remove(providerId);
  if (isRemoved) forgetKey(providerId);
  return isRemoved ? { ok: true, value: {} } : notFound("stored key for", providerId);
}

/** The key that was given, or the one that is used now. */
export async function checkUsedKey(
  parts: ProviderParts,
  { providerId, key: given }: CommandOf<"credential.check">,
): Promise<CommandAnswer<"credential.check">> {
  if (!isKnown(parts, providerId)) return notFound("provider", providerId);
  const { configuration, environment, network, home } = parts;
  const catalogue = parts.modelCatalogue.open();
  const row = catalogue.provider(providerId);
  const name = row?.name ?? providerId;
  const used = () => openCredentials(home.directory, environment).find(providerId, row?.keys ?? [])?.key;
  const key = given?.trim() ?? settingOf(parts, providerId)?.apiKey ?? used();
  if (key === undefined || key === "") return notFound("key for", providerId);
  parts.onKey(key);
  const checked = await checkProviderKey({ provider: providerId, key, configuration, catalogue, network, environment });
  switch (checked.kind) {
    case "accepted":
      return { ok: true, value: { isGood: true, sentence: `${name} accepted the key.` } };
    case "rejected": {
      const sentence = `${name} rejected the key (status ${checked.status}). Check it, or create a new one.`;
      return { ok: true, value: { isGood: false, sentence } };
    }
    case "unchecked": {
      const sentence = `Could not verify the key for ${name}: ${checked.reason.replace(/\.$/, "")}.`;
      return { ok: true, value: { isGood: false, sentence, isUnchecked: true } };
    }
  }
}

function isKnown(parts: ProviderParts, providerId: string): boolean {
  return settingOf(parts, providerId) !== undefined || parts.modelCatalogue.open().provider(providerId) !== undefined;
}

function settingOf({ configuration: { providers } }: ProviderParts, providerId: string) {
  return Object.hasOwn(providers, providerId) ? providers[providerId] : undefined;
}
