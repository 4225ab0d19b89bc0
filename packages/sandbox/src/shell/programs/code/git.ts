/** git: its global options, the settings given with `-c`, and its sub-commands. */
import { isAbsolute, join } from "node:path";
import { textBeside } from "@kedge/protocol/text-file";
import type { ShellWord } from "../../shell-command.ts";
import { compileOptions, type OptionSet } from "../option-set.ts";
import {
  addFile,
  addInnerWords,
  addRisk,
  addScript,
  type CommandShape,
  type Findings,
  literalWord,
  type ProgramCall,
  type Refine,
  type RowProgram,
} from "../program-call.ts";
import type { OrdinaryRow } from "../program-row.ts";
import { openTable } from "../program-table.ts";
import { type OptionValue, type ReadWords, readOptions } from "../read-options.ts";
import { applyRow } from "../shapes/ordinary-program.ts";
import { judgeSetting } from "./git-settings.ts";
import { gitShownContent } from "./git-shown-content.ts";
import { gitRefinements } from "./git-sub-commands.ts";

export const gitTable = openTable(() => [textBeside(import.meta.url, "../rows/git.jsonl")]);

type SubCommand = { readonly row: OrdinaryRow; readonly options: OptionSet; readonly refine: Refine | undefined };

const subCommands = new Map<string, SubCommand>();

export const git: RowProgram = (call, findings) => {
  const { options } = call.table;
  const globals = readOptions(call.words, options);
  const [first, ...words] = globals.operands;
  findings.shape = { lead: ["git"], read: { ...globals, operands: [], options: [] } };
  applyRow({ looks: true }, options, { ...globals, operands: [] }, findings);
  const aliases = judgeSettings(globals, findings);
  judgePlaces(globals, findings);
  const from = directoryOf(globals);
  if (from !== undefined && !findings.files.some(({ word }) => word === from)) addFile(findings, "read", from);
  findings.repository = { at: from };
  if (first === undefined) {
    findings.suggestedWords = 0;
    return;
  }
  if (!first.isLiteral) {
    findings.unknown = `the subcommand ${first.text} is only known at run time`;
    return;
  }
  const alias = aliases.get(first.text.toLowerCase());
  if (alias !== undefined) runAlias(alias, words, findings);
  judgeSubCommand(call, first.text, words, findings);
  if (from !== undefined) moveFiles(findings, from);
  // Global options stand between program and sub-command, where a prefix pattern cannot keep them.
  if (globals.options.length > 0) findings.suggestedWords = 0;
};

/** Each `-C` is taken from the one before it. */
function directoryOf(globals: ReadWords): ShellWord | undefined {
  const given = globals.options.flatMap(({ name, value }) =>
    name === "-C" && value !== undefined ? [value.word] : [],
  );
  if (given.length < 2) return given[0];
  const unknown = given.find((word) => !word.isLiteral);
  const path = given.reduce((at, { text }) => (isAbsolute(text) ? text : join(at, text)), "");
  return unknown ?? literalWord(path);
}

function moveFiles(findings: Findings, from: ShellWord): void {
  findings.files.forEach((file, index) => {
    if (file.word !== from && file.from === undefined) findings.files[index] = { ...file, from };
  });
}

/** Gives the aliases that the command line itself defines. */
function judgeSettings(globals: ReadWords, findings: Findings): ReadonlyMap<string, OptionValue> {
  const aliases = new Map<string, OptionValue>();
  for (const option of globals.options) {
    if (option.name !== "-c" || option.value === undefined) continue;
    const [, key = "", text] = /^([^=]*)(?:=(.*))?$/s.exec(option.value.text) ?? [];
    judgeSetting(key, { ...option.value, text: text ?? "" }, findings);
    if (/^alias\./i.test(key))
      aliases.set(key.slice("alias.".length).toLowerCase(), { ...option.value, text: text ?? "" });
  }
  return aliases;
}

function runAlias(alias: OptionValue, words: readonly ShellWord[], findings: Findings): void {
  if (alias.text.startsWith("!")) {
    addScript(findings, alias.word, alias.text.slice(1));
    return;
  }
  const own = alias.text.split(/\s+/).filter((part) => part !== "");
  addInnerWords(findings, [literalWord("git"), ...own.map(literalWord), ...words]);
}

/** Another repository brings its own settings and hooks. */
function judgePlaces(globals: ReadWords, findings: Findings): void {
  for (const { name, value } of globals.options) {
    if (value === undefined) continue;
    if (name === "--git-dir") {
      addFile(findings, "read", value.word, value.text);
      if (!/^(\.\/)?\.git\/?$/.test(value.text))
        addRisk(findings, ["--git-dir"], "the settings of another repository can run commands");
    }
    if (name === "--work-tree") addFile(findings, "write", value.word, value.text);
    if (name === "-C" && !value.word.isLiteral) findings.concerns.push("the directory of the repository is not known");
  }
}

function judgeSubCommand(call: ProgramCall, name: string, words: readonly ShellWord[], findings: Findings): void {
  const { row, options, refine } = findSubCommand(name);
  const read = readOptions(words, options);
  const looked = findings.readOnly;
  findings.shape = shapeOf(name, row, read);
  applyRow(row, options, read, findings);
  // A format that shows signatures starts the program that checks them.
  const checks = read.options.some(({ value }) => /%G|signature/.test(value?.text ?? ""));
  findings.readOnly &&= looked && !checks;
  judgeSubmodules(read, findings);
  findings.suggestedWords = name.startsWith("filter-") ? 0 : (row.suggestedWords ?? 2);
  const shows = gitShownContent(name, read);
  if (shows !== undefined) findings.shows = shows;
  refine?.({ ...call, words, read }, findings);
}

/** To show what changed in a submodule git runs there, by the settings that it has of its own. */
function judgeSubmodules(read: ReadWords, findings: Findings): void {
  const forms = read.options.filter(({ rule }) => rule?.spellings.includes("--submodule"));
  if (forms.every(({ value }) => value === undefined || /^(?:short|log)$/.test(value.text))) return;
  addRisk(findings, ["--submodule"], "the settings of a submodule can run commands");
  findings.readOnly = false;
}

function findSubCommand(name: string): SubCommand {
  const known = subCommands.get(name);
  if (known !== undefined) return known;
  const row = gitTable.find(name) ?? { shape: "ordinary" };
  if (row.shape !== "ordinary") throw new Error(`the row of git ${name} has the shape ${row.shape}`);
  const refine = row.code === undefined ? undefined : gitRefinements[row.code];
  if (row.code !== undefined && refine === undefined) throw new Error(`git ${name} points to no code: ${row.code}`);
  const found = { row, options: compileOptions(row), refine };
  subCommands.set(name, found);
  return found;
}

/** Where a verb follows, as in `git worktree remove`, it stays in front of the options. */
function shapeOf(name: string, row: OrdinaryRow, read: ReadWords): CommandShape {
  const [verb, ...operands] = read.operands;
  if (row.suggestedWords !== 3 || verb === undefined || !verb.isLiteral) return { lead: ["git", name], read };
  return { lead: ["git", name, verb.text], read: { ...read, operands } };
}
