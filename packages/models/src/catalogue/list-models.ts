/** Lists vendors and their models for a person to choose from, with what is still missing to use them. */
import type { Failure, Model } from "@kedge/protocol";
import type { LocalServer } from "../local-servers/find-local-servers.ts";
import type { Api, CatalogueModel, CatalogueProvider } from "./catalogue-row.ts";
import { describeModel } from "./describe-model.ts";
import type { Catalogue } from "./open-catalogue.ts";
import type { ProviderSetting, ProviderSettings } from "./provider-settings.ts";
import { type Credentials, resolveProvider } from "./resolve-provider.ts";

export type ListedModel = Model & Pick<CatalogueModel, "family" | "released" | "status">;

export type ListedProvider = {
  readonly id: string;
  readonly name: string;
  readonly api: Api | undefined;
  readonly package?: string;
  /** Why none of its models can be used yet; absent when they can. */
  readonly missing?: Failure;
  /** There is a recorded stream of this very vendor among the tests. */
  readonly tested: boolean;
  readonly models: readonly ListedModel[];
};

export type ListOptions = Credentials & {
  readonly catalogue: Catalogue;
  readonly localServers: readonly LocalServer[];
};

/** Configured vendors first, then the catalogue in its own order. */
export function listModels(settings: ProviderSettings, options: ListOptions): readonly ListedProvider[] {
  const ids = [...new Set([...Object.keys(settings), ...options.catalogue.ids()])];
  return ids.map((id) => listProvider(id, settings[id], options));
}

function listProvider(id: string, setting: ProviderSetting | undefined, options: ListOptions): ListedProvider {
  const row = options.catalogue.provider(id);
  const resolved = resolveProvider({ name: id, row, setting }, options);
  const reached = resolved.ok ? resolved.reached : undefined;
  const server = options.localServers.find((each) => each.provider === id);
  const isAbsent = row?.local !== undefined && server === undefined && setting === undefined;
  const missing = resolved.ok ? (isAbsent ? notRunning(row) : undefined) : resolved.failure;
  const api = reached === undefined ? row?.api : reached.kind === "wire" ? reached.api : "ai-sdk";
  const packageName = reached?.kind === "package" ? reached.packageName : row?.package;
  return {
    id,
    name: row?.name ?? id,
    api,
    ...(packageName === undefined ? {} : { package: packageName }),
    ...(missing === undefined ? {} : { missing }),
    tested: row?.tested === true,
    models: modelIds(row, setting, server).map((model) => {
      const contextTokensFound = server?.models.find((each) => each.id === model)?.contextTokens;
      const found = contextTokensFound === undefined ? {} : { contextTokensFound };
      const { family, released, status } = row?.models[model] ?? {};
      return {
        ...describeModel(
          { ref: `${id}/${model}`, provider: id, id: model },
          { row, setting, api: api ?? "openai-chat", ...found },
        ),
        ...(family === undefined ? {} : { family }),
        ...(released === undefined ? {} : { released }),
        ...(status === undefined ? {} : { status }),
      };
    }),
  };
}

function modelIds(
  row: CatalogueProvider | undefined,
  setting: ProviderSetting | undefined,
  server: LocalServer | undefined,
): readonly string[] {
  const found = server?.models.map((model) => model.id) ?? [];
  return [...new Set([...Object.keys(setting?.models ?? {}), ...found, ...Object.keys(row?.models ?? {})])];
}

function notRunning({ name, local }: CatalogueProvider): Failure {
  return {
    code: "not_found",
    message: `${name} is not running on this machine.`,
    recovery: `Start it on port ${local?.ports.join(" or ")}.`,
    retryable: true,
  };
}
