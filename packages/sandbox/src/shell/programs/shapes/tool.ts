/** Programs with sub-commands. */
import type { ShellWord } from "../../shell-command.ts";
import { compileOptions, lazily, type OptionSet } from "../option-set.ts";
import { addInnerWords, type Findings, type Program, type Refine, type RowOptions } from "../program-call.ts";
import type { ToolRow, ToolRun } from "../program-row.ts";
import { findOption, type ReadWords, readOptions } from "../read-options.ts";
import { applyRow } from "./ordinary-program.ts";

export function tool(row: ToolRow, refine: Refine | undefined): Program {
  const globalOptions = compileOptions({ ...row.globals, stopsAtOperand: true });
  const ownOptions = lazily(() => compileOptions(row.options ?? {}, [row.globals ?? {}]));
  const lists: ToolLists = {
    looks: matchList(row.looks),
    outward: matchList(row.outward),
    concerns: matchList(row.concerns),
  };
  const runners = new Map(Object.entries(row.runs ?? {}).map(([name, run]) => [name, lazily(() => toolRunner(run))]));
  const groups = row.groups === "*" ? undefined : new Set(row.groups?.split(" ") ?? []);
  return (call, findings) => {
    const before = readOptions(call.words, globalOptions);
    applyRow({ looks: true }, globalOptions, { ...before, operands: [] }, findings);
    const [first, ...rest] = before.operands;
    findings.suggestedWords = 0;
    if (first === undefined) {
      findings.readOnly &&= before.options.some((option) =>
        /^(-v|-V|-h|--version|--help|-version|-help)$/.test(option.name),
      );
      if (row.outward === "*" && !findings.readOnly) findings.outward = row.outwardWhy ?? "acts outside";
      return;
    }
    if (!first.isLiteral) {
      findings.unknown = `the subcommand ${first.text} is only known at run time`;
      return;
    }
    const { aliases = {} } = row;
    const name = Object.hasOwn(aliases, first.text) ? (aliases[first.text] ?? first.text) : first.text;
    const isGroup = groups === undefined || groups.has(name);
    const { second, after } = isGroup ? takeSecond(rest, ownOptions) : { second: undefined, after: rest };
    const names = second === undefined ? [name] : [name, second.text];
    const exact = runners.get(names.join(" "));
    const runner = exact ?? runners.get(name);
    const lead = [call.name, ...names];
    if (runner !== undefined) runWords(lead, runner(), exact === undefined ? rest : after, findings);
    else {
      const read = judgeSubCommand({ row, lists }, names, { lead, words: after, options: ownOptions() }, findings);
      const options = [...before.options, ...read.options];
      refine?.({ ...call, words: after, read: { ...read, options } }, findings);
    }
    // A pattern is a prefix of the text, so it cannot leave out options that stand before the sub-command.
    if (before.options.length > 0 || runner !== undefined) findings.suggestedWords = 0;
  };
}

/** The second word of a group, wherever its options let it stand. */
function takeSecond(
  words: readonly ShellWord[],
  options: () => OptionSet,
): { readonly second: ShellWord | undefined; readonly after: readonly ShellWord[] } {
  const read = readOptions(words, { ...options(), stopsAtOperand: true });
  const [second, ...after] = read.operands;
  if (second === undefined || !second.isLiteral) return { second: undefined, after: words };
  return { second, after: [...words.slice(0, read.length), ...after] };
}

type SubCall = {
  readonly lead: readonly string[];
  readonly words: readonly ShellWord[];
  readonly options: OptionSet;
};

type ToolLists = Readonly<Record<"looks" | "outward" | "concerns", (text: string) => boolean>>;
type Tool = { readonly row: ToolRow; readonly lists: ToolLists };

function judgeSubCommand({ row, lists }: Tool, names: readonly string[], sub: SubCall, findings: Findings): ReadWords {
  const read = readOptions(sub.words, sub.options);
  const looked = findings.readOnly;
  const text = names.join(" ");
  findings.shape = { lead: sub.lead, read };
  applyRow({ looks: lists.looks(text) }, sub.options, read, findings);
  findings.readOnly &&= looked;
  const isOutward = lists.outward(text) && !lists.looks(text);
  if (isOutward) findings.outward = row.outwardWhy ?? "acts outside this machine";
  if (lists.concerns(text)) findings.concerns.push(`${sub.lead.join(" ")} can change what later commands run`);
  findings.suggestedWords = row.suggestedWords?.[names[0] ?? ""] ?? 1 + names.length;
  return read;
}

/** Entries name sub-commands by their first words. */
function matchList(list: string | undefined): (text: string) => boolean {
  if (list === "*") return () => true;
  const entries = new Set(list?.split("|").map((entry) => entry.replace(/ \*$/, "")));
  return (text) => {
    const space = text.indexOf(" ");
    return entries.has(text) || (space > 0 && entries.has(text.slice(0, space)));
  };
}

type ToolRunner = RowOptions & { readonly skips: number };

function toolRunner(run: ToolRun): ToolRunner {
  const row = { ...run.options, stopsAtOperand: true };
  return { row, options: compileOptions(row), skips: run.skips ?? 0 };
}

/** What a program starts that finds or installs another one first: `npm exec`, `docker run`, `npx`. */
export function runWords(
  lead: readonly string[],
  { row, options, skips }: ToolRunner,
  words: readonly ShellWord[],
  findings: Findings,
): void {
  const read = readOptions(words, options);
  applyRow(row, options, { ...read, operands: [] }, findings);
  findings.shape = { lead, read };
  const behind = read.operands.slice(skips);
  // Options may stand between what is skipped and the command: `kubectl exec pod -c name -- cmd`.
  const inner = behind[0]?.text.startsWith("-") ? readOptions(behind, options).operands : behind;
  const [first, ...rest] = inner;
  if (findOption(read, "-c", "--call", "--command")?.rule?.effect === "script") return;
  if (first === undefined) {
    findings.readOnly = false;
    return;
  }
  // `npx cowsay@1` and `kubectl exec pod -- cmd`
  if (first.text === "--") addInnerWords(findings, rest);
  else addInnerWords(findings, [{ ...first, text: stripVersion(first.text) }, ...rest]);
}

function stripVersion(text: string): string {
  return text.replace(/(?<=.)@[^/@]*$/, "");
}
