/** `kedge plugin`: installs, removes, switches, lists, updates and searches plugins, and checks folders. */
import { existsSync, realpathSync } from "node:fs";
import { type Validated, validateFolder } from "@kedge/extend/plugins";
import type { JsonObject } from "@kedge/protocol";
import { carryOut, removePlugin, switchPlugin } from "./change-plugins.ts";
import { runMarketplaceWords } from "./marketplace-words.ts";
import { searchMarketplaces } from "./marketplaces.ts";
import { type Planned, planInstall, planUpdate } from "./plan-install.ts";
import { done, failed, type PluginAnswer, type PluginWork, refused } from "./plugin-answer.ts";
import { dataDirectory, type LockedPlugin, storedDirectory, wholeLock } from "./plugin-lock.ts";
import { onOneLine, planLines, pluginLines, pluginRow } from "./plugin-text.ts";
import { projectProposals, proposalLines } from "./project-proposals.ts";
import { hashTree } from "./take-tree.ts";

export const pluginActions = [
  "add",
  "install",
  "remove",
  "enable",
  "disable",
  "list",
  "update",
  "search",
  "marketplace",
  "validate",
] as const;

/** Undefined for words that are none of its own. */
export async function runPluginWords(words: readonly string[], work: PluginWork): Promise<PluginAnswer | undefined> {
  const [action = "list", ...rest] = words;
  const { names, values } = splitValues(rest);
  const [name, extra] = names;
  const hasOne = name !== undefined && extra === undefined;
  switch (action) {
    case "add":
    case "install":
      return hasOne ? install(name, values, work) : undefined;
    case "remove":
      return hasOne ? remove(name, work) : undefined;
    case "enable":
    case "disable":
      return hasOne ? turn(name, { enabled: action === "enable", values }, work) : undefined;
    case "list":
      return name === undefined ? list(work) : undefined;
    case "update":
      return extra === undefined ? update(name, work) : undefined;
    case "search":
      return search(rest, work);
    case "marketplace":
      return runMarketplaceWords(rest, work);
    case "validate":
      return hasOne ? validate(name, work) : undefined;
    default:
      return undefined;
  }
}

/** `KEY=value` gives a value for an option. */
function splitValues(words: readonly string[]) {
  const pairs = words.flatMap((word) => {
    const [, key, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) ?? [];
    return key === undefined || value === undefined ? [] : [[word, key, value] as const];
  });
  const given = new Set(pairs.map(([word]) => word));
  return {
    names: words.filter((word) => !given.has(word)),
    values: Object.fromEntries(pairs.map(([, key, value]) => [key, value])),
  };
}

async function install(text: string, values: LockedPlugin["values"], work: PluginWork): Promise<PluginAnswer> {
  const { machine, signal } = work;
  return agree(await planInstall({ text, values }, machine, signal), work, "Install");
}

/** Shows the plan, and carries it out if the user wants it. */
async function agree(
  made: Planned,
  { machine, confirm }: PluginWork,
  verb: "Install" | "Update",
): Promise<PluginAnswer> {
  if (!made.ok) return failed(made.why);
  using plan = made.plan;
  const { planned } = plan;
  const [first, ...others] = planned;
  if (first === undefined) return failed("nothing to install");
  const shown = planned.flatMap(planLines).join("\n");
  const question = others.length === 0 ? `${verb} ${first.plugin.name}?` : `${verb} these ${planned.length} plugins?`;
  const answer = await confirm(shown, question);
  if (answer === "no") return refused("Nothing changed.");
  if (answer === "nobody") return refused(`Nothing changed. To confirm, run again with --yes.`);
  const carried = carryOut(machine.home, plan);
  if (!carried.ok) return failed(carried.why);
  const names = planned.map(({ plugin: { name, version, enabled } }) => {
    return `${name}${version === undefined ? "" : ` ${version}`}${enabled ? "" : " (disabled)"}`;
  });
  const word = verb === "Install" ? "Installed" : "Updated";
  return done(`${word} ${names.join(", ")}. It takes effect in new sessions.`, {
    plugins: planned.map(({ plugin }) => pluginRow(plugin)),
  });
}

function remove(name: string, { machine: { home } }: PluginWork): PluginAnswer {
  const removed = removePlugin(home, name);
  if (!removed.ok) return failed(removed.why);
  const data = dataDirectory(home, name);
  return done(`Removed ${name}. Its data is kept in ${data}.`, { removed: name, data });
}

function turn(
  name: string,
  wanted: { readonly enabled: boolean; readonly values: LockedPlugin["values"] },
  { machine: { home } }: PluginWork,
): PluginAnswer {
  const switched = switchPlugin(home, name, wanted);
  if (!switched.ok) return failed(switched.why);
  const word = wanted.enabled ? "enabled" : "disabled";
  return done(`${name} is ${word}. This takes effect in new sessions.`, { name, enabled: wanted.enabled });
}

async function list({ machine: { home }, root }: PluginWork): Promise<PluginAnswer> {
  const { plugins } = wholeLock(home);
  const proposals = await projectProposals(root);
  const rows = plugins.map((plugin) => ({ plugin, problem: storedProblem(home, plugin) }));
  const lines = rows.flatMap(({ plugin, problem }) => [
    ...pluginLines(plugin),
    ...(problem === undefined ? [] : [`  ${problem}`]),
  ]);
  const text = [...(lines.length === 0 ? ["No plugins."] : lines), ...proposalLines(proposals)].join("\n");
  const data = {
    plugins: rows.map(
      ({ plugin, problem }): JsonObject => ({ ...pluginRow(plugin), ...(problem !== undefined && { problem }) }),
    ),
    proposed: {
      marketplaces: proposals.marketplaces.map((each) => ({ ...each })),
      plugins: proposals.plugins.map((each) => ({ ...each })),
    },
  };
  return done(text, data);
}

function storedProblem(home: string, { name, hash }: LockedPlugin): string | undefined {
  const directory = storedDirectory(home, hash);
  if (!existsSync(directory)) return `Its files are missing. Restore them with kedge plugin update ${name}.`;
  return hashTree(directory) === hash ? undefined : `Its files in ${directory} were modified. Install it again.`;
}

/** All of them where none is named. */
async function update(name: string | undefined, work: PluginWork): Promise<PluginAnswer> {
  const { machine, signal } = work;
  const { plugins } = wholeLock(machine.home);
  const wanted = plugins.filter((plugin) => name === undefined || plugin.name === name);
  if (wanted.length === 0)
    return name === undefined ? done("No plugins.", { plugins: [] }) : failed(`no plugin named ${name}`);
  const answers: PluginAnswer[] = [];
  for (const plugin of wanted) {
    const made = await planUpdate(plugin, machine, signal);
    answers.push(
      made === undefined ? done(`${plugin.name} is up to date.`, { plugins: [] }) : await agree(made, work, "Update"),
    );
  }
  const worst = answers.find(({ end }) => end === "failed") ?? answers.find(({ end }) => end === "refused");
  return {
    text: answers.map(({ text }) => text).join("\n"),
    data: { results: answers.map(({ data }) => data) },
    end: worst?.end ?? "done",
  };
}

async function search(words: readonly string[], { machine: { home } }: PluginWork): Promise<PluginAnswer> {
  const found = await searchMarketplaces(home, words);
  const lines = found.map(({ name, marketplace, version, description = "", installed }) =>
    `${name}@${marketplace}${version === undefined ? "" : ` ${version}`}${installed ? " (installed)" : ""}  ${onOneLine(description)}`.trimEnd(),
  );
  return done(
    lines.length === 0 ? "No matches." : lines.join("\n"),
    found.map((each) => ({ ...each })),
  );
}

async function validate(given: string, { machine }: PluginWork): Promise<PluginAnswer> {
  const folder = machine.resolvePath(given);
  if (!existsSync(folder)) return failed(`directory not found: ${folder}`);
  const { files, isCut } = await validateFolder(realpathSync.native(folder));
  const end = files.some(({ status }) => status === "refused") ? "faulty" : "done";
  return { text: validatedText({ files, isCut }), data: files.map((each) => ({ ...each })), end };
}

function validatedText({ files, isCut }: Validated): string {
  const lines = files
    .filter(({ status }) => status !== "loaded")
    .map(({ status, kind, file, line, why }) =>
      `${status}  ${kind}  ${file}${line === undefined ? "" : `:${line}`}  ${why ?? ""}`.trimEnd(),
    );
  const count = (status: string) => files.filter((each) => each.status === status).length;
  const sum = `${files.length} checked: ${count("loaded")} fine, ${count("noted")} with notes, ${count("refused")} refused.`;
  return [...lines, ...(isCut ? ["The directory is too large and was not checked completely."] : []), sum].join("\n");
}
