/** The catalogue of models as this machine has it: the shipped list, the newer one on disk, and servers that run here. */
import { mkdirSync, readFileSync, statSync } from "node:fs";
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
import type { Configuration } from "../configuration/load-configuration.ts";
import { replaceFile } from "../machine/replace-file.ts";

type Environment = { readonly [name: string]: string | undefined };

export type ModelCatalogueOptions = {
  /** kedge's own directory. */
  readonly home: string;
  readonly environment: Environment;
  readonly setting: Configuration["catalogue"];
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
  const url = (setting.isFixed ? undefined : environment[urlVariable]) || (setting.url ?? usualUrl);
  return {
    open: () => withoutVendors(openCatalogue({ cached: () => readIfThere(path) }), setting.disabled ?? []),
    async refresh({ signal, force = false }) {
      if (url === "off") return { kind: "kept", reason: `${urlVariable} is off` };
      if (setting.refresh === false && !force) return { kind: "kept", reason: "disabled in your settings" };
      return refreshCatalogue({
        url,
        network,
        readCached: () => readIfThere(path),
        // Without a lock: each text is the whole list, so whoever comes last loses nothing of another's.
        writeCached: (text) => {
          mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
          replaceFile(path, text);
        },
        now: () => Date.now(),
        signal,
        force,
      });
    },
  };
}

function withoutVendors(catalogue: Catalogue, disabled: readonly string[]): Catalogue {
  if (disabled.length === 0) return catalogue;
  return {
    provider: (id, options) => (disabled.includes(id) ? undefined : catalogue.provider(id, options)),
    ids: () => catalogue.ids().filter((id) => !disabled.includes(id)),
  };
}

export type KnownModelsOptions = {
  readonly providers: ProviderSettings;
  readonly catalogue: Catalogue;
  readonly environment: Environment;
  readonly keyOf: (provider: string, variables: readonly string[]) => string | undefined;
  readonly hasAccount: (provider: string) => boolean;
  readonly signal: AbortSignal;
};

/** Every provider, with what it still lacks; those on this machine are asked for their models. */
export async function listKnownModels(options: KnownModelsOptions): Promise<readonly ListedProvider[]> {
  const { providers, catalogue, environment, keyOf, hasAccount, signal } = options;
  const localServers = await findLocalServers({ signal });
  return listModels(providers, { catalogue, localServers, keyOf, hasAccount, variable: (name) => environment[name] });
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

/** The real one has 3 MB. */
const cachedBytesMax = 64 * 1024 * 1024;

/** What is too large to be the list is as good as none. */
function readIfThere(path: string): string | undefined {
  try {
    return statSync(path).size > cachedBytesMax ? undefined : readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
