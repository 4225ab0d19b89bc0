/** Reads the catalogue of a marketplace: an entry that cannot be used is named, and the others count. */
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "@kedge/protocol";
import { type FileNote, type FileProblem, type JsonFile, readJsonFile } from "./json-file.ts";
import { isInner, readSource } from "./plugin-source.ts";
import { plainPluginName } from "./read-manifest.ts";
import type { PluginSource } from "./source-text.ts";

export const catalogueFiles: readonly string[] = [
  ".kedge-plugin/marketplace.json",
  ".claude-plugin/marketplace.json",
  ".agents/plugins/marketplace.json",
  ".plugin/marketplace.json",
  ".github/plugin/marketplace.json",
];

export type MarketplaceEntry = {
  readonly name: string;
  readonly source: PluginSource;
  readonly version?: string;
  readonly description?: string;
  readonly keywords: readonly string[];
  /** False where the entry itself is the manifest. */
  readonly isStrict: boolean;
  /** All that the entry says. */
  readonly fields: JsonObject;
};

export type Marketplace = {
  readonly name: string;
  readonly description?: string;
  readonly entries: readonly MarketplaceEntry[];
  /** The present name of a plugin, by its former one. */
  readonly renames: { readonly [former: string]: string };
};

export type ReadMarketplace =
  | { readonly ok: true; readonly marketplace: Marketplace; readonly notes: readonly FileNote[] }
  | ({ readonly ok: false } & FileProblem);

/** In the directory of a marketplace. A sentence without a full stop where there is none that can be used. */
export async function findMarketplace(root: string): Promise<Marketplace | string> {
  for (const file of [...catalogueFiles, "marketplace.json"]) {
    const read = await readJsonFile(join(root, file), root);
    if (!read.ok && read.isMissing) continue;
    const made = read.ok ? readMarketplace(read) : read;
    return made.ok ? made.marketplace : `${file}:${made.line} ${made.why}`;
  }
  return `no catalog found (${catalogueFiles.join(", ")})`;
}

export function readMarketplace({ value, lineOf, notes: given }: JsonFile): ReadMarketplace {
  const refuse = (why: string, remedy: string, ...path: readonly string[]): ReadMarketplace => {
    return { ok: false, line: lineOf(...path), why, remedy };
  };
  if (!isJsonObject(value)) return refuse("not an object", "Write an object with name and plugins.");
  const name = typeof value["name"] === "string" ? plainPluginName(value["name"]) : "";
  if (name === "") return refuse("it has no name", 'Add "name", of letters, digits and hyphens.', "name");
  const { plugins, metadata } = value;
  if (!Array.isArray(plugins)) return refuse("it lists no plugins", 'Add "plugins", a list.', "plugins");
  const about = isJsonObject(metadata) ? metadata : {};
  const base = about["pluginRoot"] ?? value["pluginRoot"];
  const pluginRoot = typeof base === "string" && isInner(base) ? base.replace(/^\.\/|\/+$/g, "") : "";
  const description = [value["description"], about["description"]].find((each) => typeof each === "string");
  const notes: FileNote[] = [...given];
  const entries = new Map<string, MarketplaceEntry>();
  for (const [index, fields] of plugins.entries()) {
    const note = (text: string) => notes.push({ line: lineOf("plugins", index), text });
    const entry = readEntry(fields, pluginRoot);
    if (typeof entry === "string") note(entry);
    else if (entries.has(entry.name)) note(`${entry.name} is listed twice; using the first one`);
    else entries.set(entry.name, entry);
  }
  return {
    ok: true,
    notes,
    marketplace: {
      name,
      ...(typeof description === "string" && { description }),
      entries: [...entries.values()],
      renames: renamesIn(value["renames"]),
    },
  };
}

function readEntry(fields: unknown, pluginRoot: string): MarketplaceEntry | string {
  if (!isJsonObject(fields)) return "an entry is not an object; it is ignored";
  const name = typeof fields["name"] === "string" ? plainPluginName(fields["name"]) : "";
  if (name === "") return "an entry has no name; it is ignored";
  const read = readSource(fields["source"], pluginRoot);
  if (!read.ok) return `${name} cannot be installed: ${read.why}`;
  const { version, description, keywords, tags, strict } = fields;
  return {
    name,
    source: read.source,
    ...(typeof version === "string" && { version }),
    ...(typeof description === "string" && { description }),
    keywords: [keywords, tags].flatMap((each) => (Array.isArray(each) ? each.map(String) : [])),
    isStrict: strict !== false,
    // Parsed from JSON, so it holds nothing else.
    fields: fields as JsonObject,
  };
}

function renamesIn(value: unknown): { readonly [former: string]: string } {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([former, name]) =>
      typeof name === "string" ? [[former, plainPluginName(name)]] : [],
    ),
  );
}
