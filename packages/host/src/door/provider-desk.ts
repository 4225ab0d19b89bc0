/** Providers and their models for clients, and the keys that are stored for them. No key ever comes back out. */
import { listModels } from "@kedge/models";
import type { CommandAnswer, CommandOf, QueryAnswer } from "@kedge/protocol";
import { openCredentials } from "../credentials/credentials.ts";
import type { HostDeskParts } from "./host-desk.ts";
import { refused, unknown } from "./refusals.ts";

type ProviderParts = Pick<HostDeskParts, "configuration" | "home" | "environment" | "modelCatalogue" | "onKey">;

export function listProviders(parts: ProviderParts): QueryAnswer<"provider.list"> {
  const { configuration, home, environment, modelCatalogue } = parts;
  const credentials = openCredentials(home.directory, environment);
  const listed = listModels(configuration.providers, {
    catalogue: modelCatalogue.open(),
    localServers: [],
    keyOf: (provider, variables) => credentials.find(provider, variables)?.key,
    variable: (name) => environment[name],
  });
  const providers = listed.map(({ id: providerId, name, missing, models }) => ({
    providerId,
    name,
    hasKey: missing === undefined,
    models: models.map((model) => ({
      model: model.ref,
      name: model.name ?? model.ref,
      ...(model.contextTokens !== undefined && { contextTokens: model.contextTokens }),
      ...(model.outputTokensMax !== undefined && { outputTokens: model.outputTokensMax }),
    })),
  }));
  const { model } = configuration;
  return { ok: true, value: { ...(model !== undefined && { model }), providers } };
}

export function storeKey(parts: ProviderParts, command: CommandOf<"credential.set">): CommandAnswer<"credential.set"> {
  const { providerId, key } = command;
  if (key.trim() === "") return refused("A key must not be empty.");
  const isKnown = Object.hasOwn(parts.configuration.providers, providerId);
  if (!isKnown && parts.modelCatalogue.open().provider(providerId) === undefined)
    return unknown("provider", providerId);
  openCredentials(parts.home.directory, parts.environment).store(providerId, key.trim());
  parts.onKey(key.trim());
  return { ok: true, value: {} };
}

export function removeKey(
  { home, environment }: ProviderParts,
  { providerId }: CommandOf<"credential.remove">,
): CommandAnswer<"credential.remove"> {
  const isRemoved = openCredentials(home.directory, environment).remove(providerId);
  return isRemoved ? { ok: true, value: {} } : unknown("stored key for", providerId);
}
