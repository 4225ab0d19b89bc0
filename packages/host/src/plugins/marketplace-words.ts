/** `kedge plugin marketplace`: adds, lists, updates and removes catalogues. Adding one installs nothing. */
import { type Marketplace, sourceText } from "@kedge/extend/plugins";
import { counted, type JsonObject } from "@kedge/protocol";
import {
  addMarketplace,
  catalogueOf,
  type MarketplaceAnswer,
  removeMarketplace,
  updateMarketplace,
} from "./marketplaces.ts";
import { done, failed, type PluginAnswer, type PluginWork } from "./plugin-answer.ts";
import { type LockedMarketplace, storedDirectory, wholeLock } from "./plugin-lock.ts";

export async function runMarketplaceWords(
  words: readonly string[],
  work: PluginWork,
): Promise<PluginAnswer | undefined> {
  const [action = "list", name, extra] = words;
  if (extra !== undefined) return undefined;
  const { machine, signal } = work;
  switch (action) {
    case "add":
      return name === undefined ? undefined : told(await addMarketplace(name, machine, signal), work);
    case "list":
      return name === undefined ? list(work) : undefined;
    case "update":
      return update(name, work);
    case "remove":
      if (name === undefined) return undefined;
      return removeMarketplace(machine.home, name)
        ? done(`Removed ${name}. Plugins from it stay installed.`, { removed: name })
        : failed(`no marketplace named ${name}`);
    default:
      return undefined;
  }
}

async function list({ machine: { home } }: PluginWork): Promise<PluginAnswer> {
  const rows: JsonObject[] = [];
  for (const marketplace of wholeLock(home).marketplaces) {
    const catalogue = await catalogueOf(storedDirectory(home, marketplace.hash));
    rows.push(rowOf(marketplace, catalogue));
  }
  const lines = rows.map(({ name, source, plugins }) => `${name}  ${source}  ${counted(Number(plugins), "plugin")}`);
  return done(lines.length === 0 ? "No marketplaces." : lines.join("\n"), rows);
}

function rowOf({ name, source, commit, hash }: LockedMarketplace, catalogue: Marketplace | string): JsonObject {
  return {
    name,
    source: sourceText(source),
    ...(commit !== undefined && { commit }),
    hash,
    plugins: typeof catalogue === "string" ? 0 : catalogue.entries.length,
    ...(typeof catalogue === "string" && { problem: catalogue }),
  };
}

async function update(name: string | undefined, work: PluginWork): Promise<PluginAnswer> {
  const { machine, signal } = work;
  const wanted = wholeLock(machine.home).marketplaces.filter((each) => name === undefined || each.name === name);
  if (wanted.length === 0)
    return name === undefined ? done("No marketplaces.", []) : failed(`no marketplace named ${name}`);
  const answers: PluginAnswer[] = [];
  for (const marketplace of wanted) answers.push(told(await updateMarketplace(marketplace, machine, signal), work));
  return {
    text: answers.map(({ text }) => text).join("\n"),
    data: answers.map(({ data }) => data),
    end: answers.some(({ end }) => end === "failed") ? "failed" : "done",
  };
}

function told(answer: MarketplaceAnswer, { machine: { home } }: PluginWork): PluginAnswer {
  if (!answer.ok) return failed(answer.why);
  const { marketplace, catalogue, before } = answer;
  const { name } = marketplace;
  const row = rowOf(marketplace, catalogue);
  const count = `${catalogue.entries.length} plugin${catalogue.entries.length === 1 ? "" : "s"}`;
  if (before === undefined) return done(`Added ${name} with ${count}: kedge plugin install <name>@${name}`, row);
  const installed = new Set(
    wholeLock(home)
      .plugins.filter((each) => each.marketplace === name)
      .map((each) => each.name),
  );
  const changes = changesOf(before, catalogue, installed);
  const text =
    changes.length === 0
      ? `${name} is up to date.`
      : [`Updated ${name}, ${count}:`, ...changes.map((line) => `  ${line}`)].join("\n");
  return done(text, { ...row, changes: [...changes] });
}

/** Where an installed plugin would come from another place, both are shown. */
function changesOf(before: Marketplace, after: Marketplace, installed: ReadonlySet<string>): readonly string[] {
  const former = new Map(before.entries.map((entry) => [entry.name, entry]));
  const present = new Set(after.entries.map(({ name }) => name));
  const changed = after.entries.flatMap(({ name, source, version }) => {
    const old = former.get(name);
    if (old === undefined) return [`+ ${name}`];
    const mark = installed.has(name) ? " (installed)" : "";
    const [was, is] = [sourceText(old.source), sourceText(source)];
    if (was !== is) return [`- ${name} from ${was}${mark}`, `+ ${name} from ${is}${mark}`];
    return old.version === version ? [] : [`${name} ${old.version ?? "?"} → ${version ?? "?"}${mark}`];
  });
  const gone = before.entries
    .filter(({ name }) => !present.has(name))
    .map(({ name }) => `- ${name}${installed.has(name) ? " (installed)" : ""}`);
  return [...changed, ...gone];
}
