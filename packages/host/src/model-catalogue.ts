/** The catalogue of models as this machine has it: the shipped list, the newer one on disk, and servers that run here. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Catalogue,
  checkKey,
  findLocalServers,
  type KeyCheck,
  type ListedProvider,
  listModels,
  type Network,
  openCatalogue,
  type ProviderSettings,
  type Refreshed,
  refreshCatalogue,
} from "@kedge/models";
import type { Configuration } from "./configuration/load-configuration.ts";

type Environment = { readonly [name: string]: string | undefined };

export type ModelCatalogueOptions = {
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: Environment;
  readonly setting: { readonly url?: string; readonly refresh?: boolean };
  readonly network: Network;
};

export type RefreshRequest = {
  readonly signal: AbortSignal;
  /** Also when the list is not a day old. */
  readonly force?: boolean;
};

export type ModelCatalogue = {
  /** Reads the list on disk when it is first needed. */
  readonly open: () => Catalogue;
  /** At most one request a day; never needed for a start. */
  readonly refresh: (request: RefreshRequest) => Promise<Refreshed>;
};

/** `off` switches the refreshing off. */
const urlVariable = "KEDGE_CATALOGUE_URL";
const usualUrl = "https://models.dev/api.json";

export function createModelCatalogue({ home, environment, setting, network }: ModelCatalogueOptions): ModelCatalogue {
  const path = join(home, "cache", "models.jsonl");
  const url = environment[urlVariable] || (setting.url ?? usualUrl);
  return {
    open: () => openCatalogue({ cached: () => readIfThere(path) }),
    async refresh({ signal, force = false }) {
      if (url === "off") return { kind: "kept", reason: `${urlVariable} is off` };
      if (setting.refresh === false && !force) return { kind: "kept", reason: "the configuration says so" };
      return refreshCatalogue({
        url,
        network,
        readCached: () => readIfThere(path),
        writeCached: (text) => replaceFile(path, text),
        now: () => Date.now(),
        signal,
        force,
      });
    },
  };
}

export type KnownModelsOptions = {
  readonly providers: ProviderSettings;
  readonly catalogue: Catalogue;
  readonly environment: Environment;
  readonly keyOf: (provider: string, variables: readonly string[]) => string | undefined;
  readonly signal: AbortSignal;
};

/** Every provider, with what it still lacks; those on this machine are asked for their models. */
export async function listKnownModels(options: KnownModelsOptions): Promise<readonly ListedProvider[]> {
  const { providers, catalogue, environment, keyOf, signal } = options;
  const localServers = await findLocalServers({ signal });
  return listModels(providers, { catalogue, localServers, keyOf, variable: (name) => environment[name] });
}

export type ProviderKeyQuestion = {
  readonly provider: string;
  readonly key: string;
  readonly configuration: Pick<Configuration, "providers">;
  readonly network: Network;
  readonly catalogue: Catalogue;
  readonly environment: Environment;
};

/** One cheap request to the vendor. */
export function checkProviderKey(question: ProviderKeyQuestion): Promise<KeyCheck> {
  const { provider, key, configuration, catalogue, environment, network } = question;
  return checkKey({
    provider,
    key,
    setting: configuration.providers[provider],
    catalogue,
    variable: (name) => environment[name],
    network,
    signal: new AbortController().signal,
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** A reader sees the old text or the new one, never a part of it. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}
