/** Marketplaces and plugins that the files of a project propose: shown to the user, and never added by themselves. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, showTerminalControls } from "@kedge/protocol";
import { readSettings } from "../configuration/setting-file.ts";
import { whereIs } from "../configuration/setting-layers.ts";

export type ProjectProposals = {
  /** By name, with what to add. */
  readonly marketplaces: readonly { readonly name: string; readonly source: string; readonly file: string }[];
  /** As `name@marketplace`. */
  readonly plugins: readonly { readonly name: string; readonly file: string }[];
};

const files: readonly string[] = [".claude/settings.json", ".claude/settings.local.json"];
const rowsMax = 100;

/** Only reads: whether the project is trusted makes no difference to what a user is told. */
export async function projectProposals(root: string): Promise<ProjectProposals> {
  const found = await Promise.all(files.map((file) => proposalsIn(root, file)));
  return {
    marketplaces: found.flatMap(({ marketplaces }) => marketplaces).slice(0, rowsMax),
    plugins: found.flatMap(({ plugins }) => plugins).slice(0, rowsMax),
  };
}

async function proposalsIn(root: string, file: string): Promise<ProjectProposals> {
  const path = join(root, file);
  const none = { marketplaces: [], plugins: [] };
  if (!existsSync(path) || whereIs(path, root) !== "inside") return none;
  const read = await readSettings(path, { name: file });
  // Whoever reads settings says that the file is broken.
  if (!read.ok) return none;
  const { extraKnownMarketplaces: known, enabledPlugins: enabled } = read.settings;
  return {
    marketplaces: Object.entries(isJsonObject(known) ? known : {}).map(([name, value]) => {
      return { name: plain(name), source: plain(sourceIn(value)), file };
    }),
    plugins: Object.entries(isJsonObject(enabled) ? enabled : {})
      .filter(([, value]) => value === true || Array.isArray(value))
      .map(([name]) => ({ name: plain(name), file })),
  };
}

/** What a user would type to add it. */
function sourceIn(value: unknown): string {
  const source = isJsonObject(value) && isJsonObject(value["source"]) ? value["source"] : value;
  if (!isJsonObject(source)) return "an unknown source";
  const { repo, url, path } = source;
  return [repo, url, path].find((each) => typeof each === "string") ?? "an unknown source";
}

const shownMax = 200;

function plain(text: string): string {
  return showTerminalControls(text).replaceAll("\n", "␊").slice(0, shownMax);
}

export function proposalLines({ marketplaces, plugins }: ProjectProposals): readonly string[] {
  if (marketplaces.length + plugins.length === 0) return [];
  return [
    "This project suggests (nothing is installed automatically):",
    ...marketplaces.map(
      ({ name, source, file }) => `  marketplace ${name}: kedge plugin marketplace add ${source}  (${file})`,
    ),
    ...plugins.map(({ name, file }) => `  plugin ${name}: kedge plugin install ${name}  (${file})`),
  ];
}
