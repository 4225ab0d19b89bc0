/** The marketplaces that the user added: catalogues pinned by commit and hash, updated only on request. */
import {
  findMarketplace,
  type Marketplace,
  type MarketplaceEntry,
  type PluginSource,
  parseSource,
  sourceText,
} from "@kedge/extend/plugins";
import { changeLock } from "./change-lock.ts";
import { fetchSource } from "./fetch-source.ts";
import { type LockedMarketplace, type PluginLock, storedDirectory, wholeLock } from "./plugin-lock.ts";
import type { PluginMachine } from "./plugin-machine.ts";
import { refusedByPolicy } from "./plugin-policy.ts";
import { moveIntoStore, openStaging } from "./plugin-store.ts";

export type FoundEntry = {
  readonly source: PluginSource;
  readonly marketplace: string;
  readonly entry: MarketplaceEntry;
  /** Where the catalogue lies. */
  readonly catalogue: string;
};

/** A sentence without a full stop where there is none. */
export async function entryOf(
  { marketplaces }: PluginLock,
  { name, marketplace }: { readonly name: string; readonly marketplace: string },
  home: string,
): Promise<FoundEntry | string> {
  const known = marketplaces.find((each) => each.name === marketplace);
  if (known === undefined) return `no marketplace named ${marketplace}. Add one with kedge plugin marketplace add`;
  const catalogue = storedDirectory(home, known.hash);
  const read = await catalogueOf(catalogue);
  if (typeof read === "string") return `cannot read the catalog of ${marketplace}: ${read}`;
  const entry = read.entries.find((each) => each.name === name);
  if (entry !== undefined) return { source: entry.source, marketplace, entry, catalogue };
  const renamed = read.renames[name];
  return renamed === undefined
    ? `${marketplace} has no plugin ${name}`
    : `${marketplace} renamed ${name} to ${renamed}: install ${renamed}@${marketplace} and remove ${name}`;
}

export function catalogueOf(directory: string): Promise<Marketplace | string> {
  return findMarketplace(directory);
}

export type MarketplaceAnswer =
  | {
      readonly ok: true;
      readonly marketplace: LockedMarketplace;
      readonly catalogue: Marketplace;
      /** What the catalogue said before, where it was known. */
      readonly before?: Marketplace;
    }
  | { readonly ok: false; readonly why: string };

export async function addMarketplace(
  text: string,
  machine: PluginMachine,
  signal: AbortSignal,
): Promise<MarketplaceAnswer> {
  const read = parseSource(text, machine.resolvePath);
  if (!read.ok) return read;
  if (read.source.kind === "npm") return { ok: false, why: "a marketplace is a repository, a directory or a file" };
  return fetchMarketplace({ source: read.source }, machine, signal);
}

export function updateMarketplace(
  known: LockedMarketplace,
  machine: PluginMachine,
  signal: AbortSignal,
): Promise<MarketplaceAnswer> {
  return fetchMarketplace({ source: known.source, known }, machine, signal);
}

type Fetching = { readonly source: PluginSource; readonly known?: LockedMarketplace };

async function fetchMarketplace(
  { source, known }: Fetching,
  machine: PluginMachine,
  signal: AbortSignal,
): Promise<MarketplaceAnswer> {
  const { home, environment, policy, ca } = machine;
  using staging = openStaging(home);
  const early = refusedByPolicy({ source, ...(known !== undefined && { marketplace: known.name }) }, policy);
  // Which name it has is known only once it is there; what is allowed by its name alone is looked at then.
  if (early !== undefined && known !== undefined) return { ok: false, why: early };
  const place = { directory: staging.path, environment, ...(ca !== undefined && { ca }) };
  const fetched = await fetchSource(source, place, signal);
  if (!fetched.ok) return fetched;
  const catalogue = await catalogueOf(fetched.taken);
  if (typeof catalogue === "string")
    return { ok: false, why: `${sourceText(source)} is not a marketplace: ${catalogue}` };
  const refusal = refusedByPolicy({ source, marketplace: catalogue.name }, policy);
  if (refusal !== undefined) return { ok: false, why: refusal };
  if (known !== undefined && known.name !== catalogue.name)
    return { ok: false, why: `${known.name} is now named ${catalogue.name}: remove it and add it again` };
  const previous = wholeLock(home).marketplaces.find(({ name }) => name === catalogue.name);
  if (previous !== undefined && sourceText(previous.source) !== sourceText(source))
    return {
      ok: false,
      why: `a marketplace named ${catalogue.name} already exists (${sourceText(previous.source)}): remove it first`,
    };
  const before = previous === undefined ? undefined : await catalogueOf(storedDirectory(home, previous.hash));
  const { hash, commit } = fetched;
  const marketplace = { name: catalogue.name, source, ...(commit !== undefined && { commit }), hash };
  changeLock(home, (lock) => {
    moveIntoStore(home, fetched.taken, hash);
    const others = lock.marketplaces.filter(({ name }) => name !== catalogue.name);
    return { lock: { ...lock, marketplaces: [...others, marketplace] }, result: undefined };
  });
  return { ok: true, marketplace, catalogue, ...(typeof before === "object" && { before }) };
}

/** False where there was none. */
export function removeMarketplace(home: string, name: string): boolean {
  return changeLock(home, (lock) => {
    const marketplaces = lock.marketplaces.filter((each) => each.name !== name);
    return { lock: { ...lock, marketplaces }, result: marketplaces.length < lock.marketplaces.length };
  });
}

export type SearchedPlugin = {
  readonly name: string;
  readonly marketplace: string;
  readonly version?: string;
  readonly description?: string;
  readonly installed: boolean;
};

/** Every word has to be in the name, the description or the keywords; those with all words in their name first. */
export async function searchMarketplaces(home: string, words: readonly string[]): Promise<readonly SearchedPlugin[]> {
  const { marketplaces, plugins } = wholeLock(home);
  const wanted = words.map((word) => word.toLowerCase());
  const found: (SearchedPlugin & { readonly isNamed: boolean })[] = [];
  for (const { name: marketplace, hash } of marketplaces) {
    const catalogue = await catalogueOf(storedDirectory(home, hash));
    for (const { name, version, description, keywords } of typeof catalogue === "string" ? [] : catalogue.entries) {
      const text = [name, description ?? "", ...keywords].join(" ").toLowerCase();
      if (!wanted.every((word) => text.includes(word))) continue;
      found.push({
        ...{ name, marketplace, isNamed: wanted.every((word) => name.includes(word)) },
        ...(version !== undefined && { version }),
        ...(description !== undefined && { description }),
        installed: plugins.some((each) => each.name === name && each.marketplace === marketplace),
      });
    }
  }
  return found
    .toSorted((one, other) => Number(other.isNamed) - Number(one.isNamed))
    .map(({ isNamed: _, ...row }) => row);
}
