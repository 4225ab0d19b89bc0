/** What rows cannot say about package managers and build tools. */
import type { ShellWord } from "../../shell-command.ts";
import { addFile, addRisk, addScript, type Refine, type RowProgram } from "../program-call.ts";
import { findOption, hasOption } from "../read-options.ts";
import { runWords } from "../shapes/tool.ts";
import { alone } from "./readers.ts";

/** Programs that only start what they are given: `npx`, `bunx`, `uvx`. */
const packageRunner: RowProgram = ({ name, words, table }, findings) => {
  runWords([name], { ...table, skips: 0 }, words, findings);
  findings.suggestedWords = 0;
  delete findings.shape;
};

const toolVariable =
  /^(SHELL|\.SHELLFLAGS|MAKE\w*|CC|CXX|CPP|LD|AR|AS|GO|PYTHON|NODE|NPM|RM|INSTALL|CARGO|DOCKER|GIT|\w+_(CMD|COMMAND|BIN|TOOL))$/;

/** `make`: variables can name the shell and the programs that it runs. */
const make: Refine = ({ words, read }, findings) => {
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

const github: Refine = (call, findings) => {
  const { read } = call;
  const [, group, verb] = findings.shape?.lead ?? [];
  // There it shows the token.
  if (group === "auth" && hasOption(read, "-t", "--show-token")) findings.readOnly = false;
  const named = [findOption(read, "-R", "--repo", "--hostname")?.value?.word, ...read.operands];
  if (named.some((word) => word !== undefined && mayNameHost(word))) findings.readOnly = false;
  if (group === "gist" && verb === "create") for (const word of read.operands) addFile(findings, "read", word);
  if (group === "release" && (verb === "create" || verb === "upload"))
    for (const word of read.operands.slice(1)) addFile(findings, "read", word, word.text.replace(/#.*$/s, ""));
  if (group === "api") githubApi(call, findings);
};

/** An address, or a repository with its host in front: whoever runs that host is told the rest of the word. */
function mayNameHost({ text, isLiteral }: ShellWord): boolean {
  if (!isLiteral) return true;
  const isAddress = /:|^(?:[^/]+\/){2}[^/]/.test(text) || /^[^/]*\.[^/]+$/.test(text);
  return isAddress && !/^(?:(?:https:\/\/)?github\.com\/|git@github\.com:|github\.com$)/i.test(text);
}

/** Settings of npm that decide where it works, what it loads and runs, and where it writes. */
const npmSteering: readonly string[] =
  "prefix local-prefix global-prefix globalconfig userconfig script-shell shell node-options node-gyp git editor viewer browser init-module init.module onload-script logs-dir cache tmp pack-destination provenance-file registry location cafile node-version".split(
    " ",
  );

/** It takes its settings anywhere before `--`, shortened and with any number of dashes. */
const npm: Refine = ({ words }, findings) => {
  for (const word of words) {
    if (word.text === "--" && word.isLiteral) return;
    const [, name = ""] = /^-+([a-z][a-z.-]+)/.exec(word.text) ?? [];
    const setting = name === "" ? undefined : npmSteering.find((each) => each.startsWith(name));
    const isKnown = findings.riskyOptions.some(({ spellings }) => spellings.includes(`--${setting}`));
    if (setting === undefined || isKnown) continue;
    addRisk(findings, [`--${setting}`], "a setting changes what npm runs, or where");
  }
};

const githubApi: Refine = ({ words, read }, findings) => {
  for (const option of read.options) {
    const path = option.name === "--input" ? option.value?.text : /^[^=]*=@(.+)$/s.exec(option.value?.text ?? "")?.[1];
    if (option.value !== undefined && path !== undefined) addFile(findings, "read", option.value.word, path);
  }
  const at = words.findIndex((word) => /^(-X|--method)$/.test(word.text));
  const method =
    at >= 0
      ? words[at + 1]?.text
      : words.map((word) => /^(?:-X|--method=)(.+)$/.exec(word.text)?.[1]).find((text) => text !== undefined);
  const hasBody = read.options.some((option) => /^(-f|-F|--field|--raw-field|--input)$/.test(option.name));
  if ((method === undefined && hasBody) || (method !== undefined && !/^(GET|HEAD)$/i.test(method))) {
    findings.outward = "writes to the code host";
  }
};

const goEnvironment: Refine = ({ words }, findings) => {
  if (findings.shape?.lead.join(" ") !== "go env" || !words.some((word) => /^-[wu]$/.test(word.text))) return;
  findings.concerns.push("go env -w changes what later commands run");
};

/** What is copied out of a container overwrites files here like any other copy; `name:path` is inside of one. */
const containers: Refine = ({ read }, findings) => {
  if (findings.shape?.lead.at(-1) !== "cp") return;
  const [from, to] = read.operands;
  const isHere = ({ text }: ShellWord) => text !== "-" && !/^[^./][^:]*:/.test(text);
  if (from !== undefined && isHere(from)) addFile(findings, "read", from);
  if (to !== undefined && isHere(to)) addFile(findings, "write", to);
};

/** Secrets are no look, and some forms of output read files. */
const kubernetes: Refine = (call, findings) => {
  const { read, words } = call;
  containers(call, findings);
  const output = findOption(read, "-o", "--output")?.value?.text ?? "";
  if (/file/.test(output) || words.some((word) => !word.isLiteral || /^(?:\w+,)*secrets?\b/i.test(word.text)))
    findings.readOnly = false;
};

/** A word that begins with `@`, or its part behind the sign, names a file whose text takes its place. */
const azure: Refine = ({ words }, findings) => {
  for (const word of words) {
    const path = /^(?:-[^=]*=)?@(.+)$/s.exec(word.text)?.[1];
    if (path !== undefined) addFile(findings, "read", word, path);
  }
};

/** Commands of the program itself that do more than show the database; it takes them shortened. */
const otherDotCommand =
  /^\s*\.(?!(?:bail|binary|changes|databases|dbconfig|dbinfo|dump|echo|eqp|exit|expert|explain|fullschema|headers?|help|indexes|indices|limit|lint|mode|nullvalue|print|quit|schema|separator|show|stats|tables|timeout|timer|version|width)\b)/m;
/** Functions and statements that run, load or write, or read another file. */
const actingSql =
  /\b(?:edit|load_extension|readfile|writefile|fts3_tokenizer|lsdir|fsdir|zipfile)\s*\(|\battach\b|\bvacuum\b[^;]*\binto\b|\busing\s+(?:fsdir|zipfile|csv)\b/i;

const sqlite: Refine = ({ read }, findings) => {
  if (read.operands.slice(1).some(({ text }) => otherDotCommand.test(text) || actingSql.test(text))) {
    findings.concerns.push("a command of the database program runs or writes something");
  }
};

export const toolCode = { packageRunner };

/** A format runs what stands in `#(…)`, and a semicolon begins another command. */
const tmux: Refine = (call, findings) => {
  alone(call, findings);
  for (const word of call.words) {
    const code = /#\((.*)\)/s.exec(word.text)?.[1];
    if (code !== undefined) addScript(findings, word, code);
    if (/;$/.test(word.text)) findings.concerns.push("a semicolon begins another command of tmux");
  }
};

export const toolRefinements = { make, npm, github, goEnvironment, containers, kubernetes, azure, sqlite, tmux };
