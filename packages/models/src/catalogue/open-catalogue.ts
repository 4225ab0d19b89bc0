/** The catalogue: finds what is known of a vendor in the list shipped with kedge and in the newer one on disk. */
import { textBeside } from "@kedge/protocol/text-file";
import { type CatalogueModel, type CatalogueProvider, readRow, withoutUndefined } from "./catalogue-row.ts";

export type CatalogueSources = {
  /** The text of the refreshed catalogue; asked for once, and only when it can matter. */
  readonly cached?: () => string | undefined;
  /** In place of the list shipped with kedge. */
  readonly shipped?: () => string;
};

export type Catalogue = {
  /** `onlyShipped` leaves the disk alone: for vendors that the configuration describes itself. */
  readonly provider: (id: string, options?: { readonly onlyShipped?: boolean }) => CatalogueProvider | undefined;
  /** Of all vendors, in the order of the lists. */
  readonly ids: () => readonly string[];
};

const firstLine = 'format":1,';
const idBefore = '\n{"id":"';

export function shippedCatalogue(): string {
  return textBeside(import.meta.url, "./catalogue.jsonl");
}

/** Looks without parsing, so that asking for what is not there costs microseconds. */
export function isShipped(id: string): boolean {
  return findLine(shippedCatalogue(), id) !== undefined;
}

export function openCatalogue({ cached, shipped = shippedCatalogue }: CatalogueSources = {}): Catalogue {
  const found = new Map<string, CatalogueProvider | undefined>();
  const notShipped = new Set<string>();
  const shippedText = once(shipped);
  const cachedText = once(() => readable(cached?.()));

  function look(id: string, options: { readonly onlyShipped: boolean }): CatalogueProvider | undefined {
    const line = findLine(shippedText(), id);
    const row = line === undefined ? undefined : readRow(line);
    if (row === undefined && options.onlyShipped) return undefined;
    const newerLine = findLine(cachedText(), id);
    const newer = newerLine === undefined ? undefined : readRow(newerLine);
    if (newer === undefined) return row;
    return row === undefined ? withoutTrust(newer, shippedText()) : withNewerModels(row, newer);
  }

  return {
    provider(id, { onlyShipped = false } = {}) {
      if (found.has(id)) return found.get(id);
      if (onlyShipped && notShipped.has(id)) return undefined;
      const row = look(id, { onlyShipped });
      if (row === undefined && onlyShipped) notShipped.add(id);
      else found.set(id, row);
      return row;
    },
    ids: () => [...new Set([...idsIn(shippedText()), ...idsIn(cachedText())])],
  };
}

/** One line per vendor, which begins with its id: nothing else of the text is read. */
function findLine(text: string, id: string): string | undefined {
  const at = text.indexOf(`\n{"id":${JSON.stringify(id)},`);
  if (at === -1) return undefined;
  const end = text.indexOf("\n", at + 1);
  return text.slice(at + 1, end === -1 ? undefined : end);
}

function idsIn(text: string): readonly string[] {
  const ids: string[] = [];
  for (let at = text.indexOf(idBefore); at !== -1; at = text.indexOf(idBefore, at + 1)) {
    const from = at + idBefore.length;
    ids.push(text.slice(from, text.indexOf('"', from)));
  }
  return ids;
}

/** A file in another format is as good as none. */
function readable(text: string | undefined): string {
  return text?.slice(0, text.indexOf("\n")).includes(firstLine) ? text : "";
}

/** A fetched list may correct numbers. Where requests and keys of a known vendor go, only a release decides. */
function withNewerModels(row: CatalogueProvider, newer: CatalogueProvider): CatalogueProvider {
  const models: Record<string, CatalogueModel> = { ...row.models };
  for (const [id, model] of Object.entries(newer.models)) models[id] = { ...row.models[id], ...model };
  return { ...row, ...(newer.complete ? { complete: true } : {}), models };
}

/** A vendor known only from a fetched list gets no key that belongs to another one, and no package is loaded for it. */
function withoutTrust({ package: proposed, ...row }: CatalogueProvider, shippedText: string): CatalogueProvider {
  const { id, name, api, baseURL, keys, complete, models } = row;
  return withoutUndefined({
    id,
    name,
    api,
    packageProposed: proposed,
    baseURL,
    keys: keys.filter((key) => !shippedText.includes(JSON.stringify(key))),
    complete,
    models,
  });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
