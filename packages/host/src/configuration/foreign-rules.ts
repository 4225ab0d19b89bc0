/** Settings that were written for other agents: permission rules, weaker than kedge's own, and named instruction files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseRuleArgument } from "@kedge/engine";
import type { NamedFiles } from "@kedge/memory/instructions";
import { isJsonObject, type PermissionRule, type RuleSet, type RuleSource } from "@kedge/protocol";
import { readNamedInstructions } from "../instructions/named-instructions.ts";
import { isTracked } from "../trust/tracked-file.ts";
import { brokenSentence, setAsideSentence } from "./broken-files.ts";
import { convertClaudeRule } from "./claude-rule.ts";
import { type ConfigSource, configSources } from "./config-sources.ts";
import { readRules, rulesOfStrangers } from "./read-rules.ts";
import { type LostLimit, mayLimit } from "./rule-head.ts";
import { isSetAside } from "./set-aside.ts";
import { presenceOf, readSettings, type Settings } from "./setting-file.ts";
import { type ConfigurationSources, leadsNowhere, leadsOut, shownPath, whereIs } from "./setting-layers.ts";

/** One file of another agent, for whoever asks what was read. */
export type ForeignReading = {
  readonly sourceId: string;
  readonly file: string;
  readonly ruleSource: RuleSource;
  readonly rules: number;
  /** Why nothing of it counts. */
  readonly problem?: string;
};

export type ForeignFile = {
  readonly source: ConfigSource;
  readonly path: string;
  readonly ruleSource: RuleSource;
  /** A link leads out of the project, or to nothing. */
  readonly leads?: "outside" | "nowhere";
};

export type ForeignRules = {
  /** In the order in which they are to be put before kedge's own. */
  readonly sets: readonly RuleSet[];
  readonly warnings: readonly string[];
  readonly readings: readonly ForeignReading[];
  /** Names of files that cannot be used. */
  readonly broken: readonly string[];
  readonly named: readonly NamedFiles[];
};

/** The ids of sources that are switched off. */
export type DisabledSources = {
  readonly everywhere: readonly string[];
  /** A project must not switch off what its user denies elsewhere, so there only the user's word counts. */
  readonly byUser: readonly string[];
};

export async function readForeignRules(
  sources: ConfigurationSources,
  disabled: () => DisabledSources,
): Promise<ForeignRules> {
  const files = findForeignFiles(sources);
  const sets: RuleSet[] = [];
  const warnings: string[] = [];
  const readings: ForeignReading[] = [];
  const broken: string[] = [];
  const named: NamedFiles[] = [];
  if (files.length === 0) return { sets, warnings, readings, broken, named };
  const { everywhere, byUser } = disabled();
  for (const foreign of files) {
    const { source, path, ruleSource } = foreign;
    const file = shownPath(path, sources);
    const entry = { sourceId: source.id, file, ruleSource };
    if ((ruleSource === "user" ? byUser : everywhere).includes(source.id)) {
      readings.push({ ...entry, rules: 0, problem: "disabled by disabledProviders" });
      continue;
    }
    const read =
      foreign.leads === "outside"
        ? { ok: false as const, sentence: leadsOut(file) }
        : await readForeignFile(foreign, file);
    if (!read.ok) {
      const isAside = isSetAside(path, sources.home);
      warnings.push(isAside ? setAsideSentence(read.sentence) : brokenSentence(read.sentence, file));
      if (!isAside) broken.push(file);
      readings.push({ ...entry, rules: 0, problem: read.sentence });
      continue;
    }
    warnings.push(...read.warnings);
    // Even in the user's own folder: whoever wrote it was asked by another program, with other safeguards.
    const isTrusted = ruleSource === "user" || sources.isTrusted;
    const kept = rulesOfStrangers(read.rules, { isTrusted });
    if (kept.rules.length < read.rules.rules.length && isTrusted) {
      warnings.push(`${file}: ignored a rule that allows nearly everything; only kedge's own files may do that`);
    }
    sets.push(kept);
    readings.push({ ...entry, rules: kept.rules.length });
    if (read.named !== undefined) named.push(read.named);
  }
  return { sets, warnings, readings, broken, named };
}

const sourcesWithRules = configSources.filter(({ rules }) => rules !== undefined);

/** The strongest source first, so that each that is put before the others is weaker than they are. */
export function findForeignFiles({ userDirectory, projectRoot }: ConfigurationSources): readonly ForeignFile[] {
  const files: ForeignFile[] = [];
  for (const source of sourcesWithRules) {
    const names = source.rules?.names ?? [];
    for (const base of source.userBases) {
      const directory = `${userDirectory}/${base}`;
      if (!existsSync(directory)) continue;
      for (const name of names) addFile(files, { source, path: `${directory}/${name}`, ruleSource: "user" });
    }
    for (const base of source.projectBases) {
      const directory = join(projectRoot, base);
      if (base !== "" && !existsSync(directory)) continue;
      for (const name of names) {
        const path = `${directory}/${name}`;
        // In the user's own directory the folders of the user and of the project are the same.
        if (presenceOf(path) === "absent" || files.some((file) => file.path === path)) continue;
        const leads = whereIs(path, projectRoot);
        const ruleSource = ruleSourceOf(join(base, name), projectRoot);
        files.push({ source, path, ruleSource, ...(leads !== "inside" && { leads }) });
      }
    }
  }
  return files;
}

function addFile(files: ForeignFile[], file: ForeignFile): void {
  if (presenceOf(file.path) !== "absent") files.push(file);
}

function ruleSourceOf(name: string, projectRoot: string): RuleSource {
  return name.includes(".local.") && !isTracked(projectRoot, name) ? "local" : "project";
}

type ForeignRead =
  | { readonly ok: true; readonly rules: RuleSet; readonly warnings: readonly string[]; readonly named?: NamedFiles }
  | { readonly ok: false; readonly sentence: string };

/** `name` is that of the file in sentences. */
export async function readForeignFile(
  { path, source, ruleSource, leads }: ForeignFile,
  name: string,
): Promise<ForeignRead> {
  if (leads === "nowhere") return { ok: false, sentence: leadsNowhere(name) };
  const read = await readSettings(path, { name });
  if (!read.ok) return read;
  if (source.rules?.key === "permissions") return readLists(read.settings, { name, ruleSource });
  const parsed = readRules({ permission: read.settings["permission"] }, { source: ruleSource, file: name });
  if (!parsed.ok) return parsed;
  if (source.namesInstructions !== true) return { ...parsed, warnings: [] };
  const tier = ruleSource === "user" ? "user" : "project";
  return {
    ...parsed,
    ...readNamedInstructions(read.settings["instructions"], { file: name, tier, source: "opencode" }),
  };
}

/**
 * One line that kedge cannot read leaves the others as they are: the file was written for another program. What allows
 * counts only where kedge says exactly the same; what protects counts as far as it can be read, and holds back what it
 * would limit where that is not far enough.
 */
function readLists(
  settings: Settings,
  { name, ruleSource }: { readonly name: string; readonly ruleSource: RuleSource },
): ForeignRead {
  const { permissions = {} } = settings;
  if (!isJsonObject(permissions)) return { ok: false, sentence: `${name}: permissions must be an object` };
  const layer = ruleSource === "user" || ruleSource === "local" ? ruleSource : "project";
  const rules: PermissionRule[] = [];
  const limits: LostLimit[] = [];
  const inexact: string[] = [];
  const warnings: string[] = [];
  // The last match wins, so what is denied comes last.
  for (const action of ["allow", "ask", "deny"] as const) {
    const texts = permissions[action] ?? [];
    if (!Array.isArray(texts)) return { ok: false, sentence: `${name}: permissions.${action} must be a list` };
    for (const [index, text] of texts.entries()) {
      const converted = typeof text === "string" ? convertClaudeRule(text.trim(), { action, layer }) : undefined;
      const loose = typeof text === "string" && action !== "allow" ? parseRuleArgument(text, action) : undefined;
      if (converted?.ok === true) {
        const { permission, patterns } = converted;
        rules.push(...patterns.map((pattern) => ({ permission, pattern, action })));
      } else if (loose?.ok === true) {
        rules.push(loose.rule);
        if (converted?.isIdle !== true) limits.push(converted ?? { permission: loose.rule.permission, head: "" });
      } else if (converted === undefined || action !== "allow") {
        if (converted !== undefined) limits.push(converted);
        warnings.push(`${name}: permissions.${action}[${index}] is ignored: not a valid rule`);
      } else if (converted.isOfAbsentTool !== true) inexact.push(String(text));
    }
  }
  const kept = rules.filter((rule) => rule.action !== "allow" || !limits.some((limit) => mayLimit(limit, rule)));
  if (inexact.length > 0) warnings.push(`${name}: ${inexactText(inexact)}`);
  if (kept.length < rules.length) {
    const held = allowCount(rules.length - kept.length);
    warnings.push(`${name}: ${held} not applied: a stricter rule has no exact equivalent`);
  }
  return { ok: true, rules: { source: ruleSource, rules: kept }, warnings };
}

const shownMax = 3;

function inexactText(texts: readonly string[]): string {
  const shown = texts.slice(0, shownMax).join(", ");
  const more = texts.length > shownMax ? ` and ${texts.length - shownMax} more` : "";
  return `${allowCount(texts.length)} ignored: kedge has no exact equivalent: ${shown}${more}`;
}

function allowCount(count: number): string {
  return count === 1 ? "1 allow rule is" : `${count} allow rules are`;
}
