/** Programs with sub-commands, described by the tool table. */
import type { ShellWord } from "../shell-command.ts";
import { compileOptions, lazily, type OptionSet, type OptionTable } from "./option-set.ts";
import { applyRow } from "./ordinary-program.ts";
import { packageToolTable } from "./package-tool-table.ts";
import {
  addFileOfOption,
  addInnerWords,
  addScript,
  type Findings,
  type Program,
  type Programs,
} from "./program-call.ts";
import { type FoundOption, findOption, readOptions } from "./read-options.ts";
import { systemToolTable } from "./system-tool-table.ts";
import type { ToolRow } from "./tool-row.ts";

export const tools: Programs = new Map(
  Object.entries({ ...packageToolTable, ...systemToolTable }).map(([name, row]) => [name, tool(row)] as const),
);

function tool(row: ToolRow): Program {
  const globals: OptionTable = { ...row.globals, stopsAtOperand: true };
  const globalOptions = lazily(() => compileOptions(globals));
  const ownOptions = lazily(() => compileOptions(row.options ?? {}, [row.globals ?? {}]));
  const lists: ToolLists = {
    looks: matchList(row.looks),
    outward: matchList(row.outward),
    concerns: matchList(row.concerns),
  };
  const runners = new Map(Object.entries(row.runs ?? {}).map(([name, run]) => [name, toolRunner(run)] as const));
  const groups = row.groups === "*" ? undefined : new Set(row.groups?.split(" ") ?? []);
  return (call, findings) => {
    const before = readOptions(call.words, globalOptions());
    applyRow({ looks: true }, globalOptions(), { ...before, operands: [] }, findings);
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
      findings.unknown = `the sub-command ${first.text} is not known before it runs`;
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
    if (runner !== undefined) runWords(lead, runner, exact === undefined ? rest : after, findings);
    else judgeSubCommand({ row, lists }, names, { lead, words: after, options: ownOptions }, findings);
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
  readonly options: () => OptionSet;
};

type ToolLists = Readonly<Record<"looks" | "outward" | "concerns", (text: string) => boolean>>;
type Tool = { readonly row: ToolRow; readonly lists: ToolLists };

function judgeSubCommand({ row, lists }: Tool, names: readonly string[], sub: SubCall, findings: Findings): void {
  const read = readOptions(sub.words, sub.options());
  const looked = findings.readOnly;
  const text = names.join(" ");
  findings.shape = { lead: sub.lead, read };
  applyRow({ looks: lists.looks(text) }, sub.options(), read, findings);
  findings.readOnly &&= looked;
  const isOutward = lists.outward(text) && !lists.looks(text);
  if (isOutward) findings.outward = row.outwardWhy ?? "acts outside of this machine";
  if (lists.concerns(text)) findings.concerns.push(`${sub.lead.join(" ")} can change what later commands run`);
  findings.suggestedWords = row.suggestedWords?.[names[0] ?? ""] ?? 1 + names.length;
  if (names[0] === "api" && sub.lead[0] === "gh") judgeApi(read.options, sub.words, findings);
  for (const option of read.options) if (option.name === "--body-file") addFileOfOption(findings, "read", option);
  if (sub.lead.join(" ") === "go env" && sub.words.some((word) => /^-[wu]$/.test(word.text))) {
    findings.readOnly = false;
    findings.concerns.push("go env -w changes what later commands run");
  }
}

function judgeApi(options: readonly FoundOption[], words: readonly ShellWord[], findings: Findings): void {
  const at = words.findIndex((word) => /^(-X|--method)$/.test(word.text));
  const method =
    at >= 0
      ? words[at + 1]?.text
      : words.map((word) => /^(?:-X|--method=)(.+)$/.exec(word.text)?.[1]).find((text) => text !== undefined);
  const hasBody = options.some((option) => /^(-f|-F|--field|--raw-field|--input)$/.test(option.name));
  if ((method === undefined && hasBody) || (method !== undefined && !/^(GET|HEAD)$/i.test(method))) {
    findings.outward = "writes to the code host";
  }
}

/** Entries name sub-commands by their first words. */
function matchList(list: string | undefined): (text: string) => boolean {
  if (list === "*") return () => true;
  const entries = lazily(
    () => new Set(list === undefined || list === "" ? [] : list.split("|").map((entry) => entry.replace(/ \*$/, ""))),
  );
  return (text) => {
    const space = text.indexOf(" ");
    return entries().has(text) || (space > 0 && entries().has(text.slice(0, space)));
  };
}

type ToolRunner = { readonly table: OptionTable; readonly options: () => OptionSet; readonly skips: number };

function toolRunner(run: NonNullable<ToolRow["runs"]>[string]): ToolRunner {
  const table = { ...run.options, stopsAtOperand: true };
  return { table, options: lazily(() => compileOptions(table)), skips: run.skips ?? 0 };
}

function runWords(lead: readonly string[], runner: ToolRunner, words: readonly ShellWord[], findings: Findings): void {
  const read = readOptions(words, runner.options());
  applyRow(runner.table, runner.options(), { ...read, operands: [] }, findings);
  findings.shape = { lead, read };
  const behind = read.operands.slice(runner.skips);
  // Options may stand between what is skipped and the command: `kubectl exec pod -c name -- cmd`.
  const inner = behind[0]?.text.startsWith("-") ? readOptions(behind, runner.options()).operands : behind;
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

/** Programs that only start what they are given: `npx`, `bunx`, `uvx`. */
const packageOptions: OptionTable = {
  plain:
    "-y/--yes --no -q/--quiet --no-install --ignore-existing --bun -v --version -h --help --from: --with: --python: --isolated -w/--workspace: -p/--package: --offline",
  special: [
    ["-c/--call:", "script"],
    ["--shell:", "script", "runs a command"],
    ["--script-shell:", "script", "runs a command"],
    ["--node-options:", "none", "loads other code"],
    ["-n/--node-arg:", "none", "loads other code"],
    ["--index-url/-i:", "none", "takes packages from another place"],
    ["--prefix:", "directory"],
  ],
};

const packageStart = toolRunner({ options: packageOptions });

const packageRunner: Program = ({ name, words }, findings) => {
  runWords([name], packageStart, words, findings);
  findings.suggestedWords = 0;
  delete findings.shape;
};

/** `make`: variables can name the shell and the programs that it runs. */
const makeOptions: OptionTable = {
  plain:
    "-b -B/--always-make -d --debug? -e/--environment-overrides -i/--ignore-errors -j?/--jobs? -k/--keep-going -l?/--load-average? -L/--check-symlink-times -n/--just-print/--dry-run/--recon -o/--old-file: -O?/--output-sync? -p/--print-data-base -q/--question -r/--no-builtin-rules -R/--no-builtin-variables -s/--silent/--quiet -S/--no-keep-going -t/--touch --trace -v/--version -w/--print-directory --no-print-directory -W/--what-if: --warn-undefined-variables -h/--help",
  special: [
    ["-C/--directory:", "directory"],
    ["-f/--file/--makefile:", "read", "runs another makefile"],
    ["-I/--include-dir:", "read", "loads other makefiles"],
    ["-E/--eval:", "none", "runs code given as text"],
  ],
};
const compiledMake = lazily(() => compileOptions(makeOptions));
const toolVariable =
  /^(SHELL|\.SHELLFLAGS|MAKE\w*|CC|CXX|CPP|LD|AR|AS|GO|PYTHON|NODE|NPM|RM|INSTALL|CARGO|DOCKER|GIT|\w+_(CMD|COMMAND|BIN|TOOL))$/;

const make: Program = ({ name, words }, findings) => {
  const read = readOptions(words, compiledMake());
  findings.shape = { lead: [name], read };
  applyRow(makeOptions, compiledMake(), read, findings);
  for (const word of read.operands) {
    const [, variable = "", value = ""] = /^([\w.]+)(?:[:?+!]*)=(.*)$/s.exec(word.text) ?? [];
    if (variable === "") continue;
    if (toolVariable.test(variable) || /[;|&`$<>]/.test(value)) {
      findings.riskyOptions.push({ spellings: [`${variable}=`], why: "a variable changes what make runs" });
      if (word.isLiteral && variable !== ".SHELLFLAGS")
        addScript(findings, word, value.replace(/^\$\(shell (.*)\)$/s, "$1"));
    }
  }
  findings.suggestedWords = /^[\w-]+$/.test(words[0]?.text ?? "") ? 2 : 1;
};

export const moreTools: Programs = new Map<string, Program>([
  ...["npx", "bunx", "uvx", "pnpx", "yarnx"].map((name) => [name, packageRunner] as const),
  ...["make", "gmake", "bmake", "remake"].map((name) => [name, make] as const),
]);
