/** git: its sub-commands, the settings given with `-c`, and every way it has to run something else. */
import type { ShellWord } from "../shell-command.ts";
import { commandKeys, harmlessKeys, harmlessSettings } from "./git-settings.ts";
import { gitGlobals, gitTable } from "./git-table.ts";
import { compileOptions, lazily, type OptionSet } from "./option-set.ts";
import { applyRow, type ProgramRow } from "./ordinary-program.ts";
import {
  addFile,
  addInnerWords,
  addJoinedScript,
  addRisk,
  addScript,
  type CommandShape,
  type Findings,
  literalWord,
  type Program,
  type ProgramCall,
} from "./program-call.ts";
import { hasOption, type OptionValue, type ReadWords, readOptions } from "./read-options.ts";

const globalOptions = lazily(() => compileOptions(gitGlobals));
const subCommands = new Map(
  Object.entries(gitTable).map(([name, row]) => [name, { row, options: lazily(() => compileOptions(row)) }] as const),
);

export const git: Program = (call, findings) => {
  const globals = readOptions(call.words, globalOptions());
  const [first, ...words] = globals.operands;
  findings.shape = { lead: ["git"], read: { ...globals, operands: [], options: [] } };
  applyRow({ looks: true, plain: "" }, globalOptions(), { ...globals, operands: [] }, findings);
  const aliases = judgeSettings(globals, findings);
  judgePlaces(globals, findings);
  if (first === undefined) {
    findings.suggestedWords = 0;
    return;
  }
  if (!first.isLiteral) {
    findings.unknown = `the sub-command ${first.text} is not known before it runs`;
    return;
  }
  const alias = aliases.get(first.text.toLowerCase());
  if (alias !== undefined) runAlias(alias, words, findings);
  judgeSubCommand(call, first.text, words, findings);
  const from = globals.options.find((option) => option.name === "-C")?.value?.word;
  if (from !== undefined) moveFiles(findings, from);
  // Global options stand between program and sub-command, where a prefix pattern cannot keep them.
  if (globals.options.length > 0) findings.suggestedWords = 0;
};

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

/** A setting that may run something is risky under its own name; a command in it is judged like any other. */
function judgeSetting(key: string, value: OptionValue, findings: Findings): void {
  const isKnown = value.word.isLiteral || !/[$`]/.test(key);
  if (isKnown && harmlessKeys.test(key)) return;
  if (value.word.isLiteral && harmlessSettings.test(`${key}=${value.text}`)) return;
  const isAlias = /^alias\./i.test(key);
  addRisk(findings, [`-c ${key}`, key], "a setting can make git run or load something");
  findings.readOnly = false;
  const isCommand = commandKeys.test(key) && !isAlias;
  if (!isCommand || /^(true|false|cat|)$/.test(value.text)) return;
  if (!value.word.isLiteral) findings.inner.push({ kind: "unknown", why: "a command in a setting is not known" });
  else addScript(findings, value.word, value.text.replace(/^!/, ""));
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
  const known = subCommands.get(name);
  const row: ProgramRow = known?.row ?? {};
  const options: OptionSet = known?.options() ?? compileOptions({});
  const read = readOptions(words, options);
  const looked = findings.readOnly;
  findings.shape = shapeOf(name, row, read);
  applyRow(row, options, read, findings);
  findings.readOnly &&= looked;
  findings.suggestedWords = row.suggestedWords ?? 2;
  if (/^(clean|push|rm|update-index|filter-.*)$/.test(name)) findings.suggestedWords = 0;
  if (Object.hasOwn(refinements, name)) refinements[name]?.({ call, read, words, findings });
}

/** Where a verb follows, as in `git worktree remove`, it stays in front of the options. */
function shapeOf(name: string, row: ProgramRow, read: ReadWords): CommandShape {
  const [verb, ...operands] = read.operands;
  if (row.suggestedWords !== 3 || verb === undefined || !verb.isLiteral) return { lead: ["git", name], read };
  return { lead: ["git", name, verb.text], read: { ...read, operands } };
}

type SubCall = {
  readonly call: ProgramCall;
  readonly read: ReadWords;
  readonly words: readonly ShellWord[];
  readonly findings: Findings;
};

const pathsAfterDashes = ({ words, findings }: SubCall): void => {
  const dashes = words.findIndex((word) => word.text === "--");
  for (const word of dashes < 0 ? [] : words.slice(dashes + 1)) addFile(findings, "write", word);
};

const listsOnly =
  (...names: readonly string[]) =>
  ({ read, findings }: SubCall): void => {
    const [action] = read.operands;
    if (action === undefined || names.includes(action.text)) return;
    findings.readOnly = false;
  };

/** What depends on more than the options. */
const refinements: Readonly<Record<string, (sub: SubCall) => void>> = {
  diff: ({ read, findings }) => {
    // Outside of a repository, or with this option, any two files can be read.
    if (hasOption(read, "--no-index")) for (const word of read.operands) addFile(findings, "read", word);
    else for (const word of read.operands) if (/^(\/|\.\.\/)/.test(word.text)) addFile(findings, "read", word);
  },
  grep: ({ read, findings }) => {
    if (hasOption(read, "--no-index")) for (const word of read.operands.slice(1)) addFile(findings, "read", word);
    const pager = read.options.find((option) => option.name === "-O" || option.name === "--open-files-in-pager");
    if (pager !== undefined) findings.readOnly = false;
  },
  checkout: pathsAfterDashes,
  restore: pathsAfterDashes,
  tag: ({ read, findings }) => {
    if (read.operands.length > 0 && !hasOption(read, "-l", "--list", "-n", "--contains", "--points-at", "--merged"))
      findings.readOnly = false;
  },
  branch: ({ read, findings }) => {
    const onlyLists = hasOption(
      read,
      "-l",
      "--list",
      "--contains",
      "--merged",
      "--no-merged",
      "--points-at",
      "-r",
      "-a",
    );
    if (read.operands.length > 0 && !onlyLists) findings.readOnly = false;
    if (hasOption(read, "-D", "-d", "-f", "-M")) findings.suggestedWords = 0;
    if (hasOption(read, "-D")) addForced(read, findings);
    else if (hasOption(read, "-d") && hasOption(read, "-f"))
      findings.otherWords.push(["git", "branch", "-D", ...read.operands.map((word) => word.text)]);
  },
  remote: (sub) => {
    const [action, name, url] = sub.read.operands;
    sub.findings.readOnly = action === undefined || action.text === "get-url";
    if (action?.text === "add" || action?.text === "set-url") judgeUrl(url ?? name, sub.findings);
  },
  stash: ({ read, findings }) => {
    findings.readOnly &&= /^(list|show)$/.test(read.operands[0]?.text ?? "");
  },
  worktree: ({ read, findings }) => {
    const [action, ...paths] = read.operands;
    findings.readOnly = action?.text === "list";
    if (action?.text === "add" || action?.text === "move" || action?.text === "remove") {
      const path = action.text === "move" ? paths[1] : paths[0];
      if (path !== undefined) addFile(findings, "write", path);
    }
  },
  reflog: listsOnly("show", "exists", "list"),
  notes: listsOnly("list", "show"),
  "sparse-checkout": listsOnly("list"),
  config: (sub) => judgeConfig(sub),
  bisect: ({ words, findings }) => {
    const [action, ...rest] = words;
    findings.suggestedWords = 3;
    if (action?.text === "run") addInnerWords(findings, rest);
    if (action?.text === "log" || action?.text === "view") findings.readOnly = false;
  },
  submodule: ({ words, findings }) => {
    const rest = words.filter((word) => !/^(-q|--quiet|--cached)$/.test(word.text));
    const [action, ...later] = rest;
    findings.suggestedWords = 3;
    if (action?.text !== "foreach") {
      if (action?.text === "add")
        judgeUrl(
          later.find((word) => !word.text.startsWith("-")),
          findings,
        );
      return;
    }
    const code = later.filter((word) => word.text !== "--recursive");
    if (code.length === 1 && code[0] !== undefined) addScript(findings, code[0]);
    else addJoinedScript(findings, code);
  },
  "filter-branch": ({ words, findings }) => {
    words.forEach((word, index) => {
      const attached = /^--(?:.*-filter|setup)=(.*)$/s.exec(word.text)?.[1];
      const next = words[index + 1];
      if (attached !== undefined) addScript(findings, word, attached);
      else if (/^--(.*-filter|setup)$/.test(word.text) && next !== undefined) addScript(findings, next);
    });
    addRisk(findings, ["filter-branch"], "runs a command on every commit");
  },
  subtree: ({ words, findings }) => {
    if (words[0]?.text !== "push") return;
    findings.outward = "pushes commits to another machine";
    findings.otherWords.push(["git", ...words.map((word) => word.text)]);
  },
  "send-email": ({ findings }) => addRisk(findings, ["send-email"], "sends mail"),
  instaweb: ({ findings }) => addRisk(findings, ["instaweb"], "starts a server"),
  daemon: ({ findings }) => addRisk(findings, ["daemon"], "starts a server"),
  "for-each-repo": ({ findings }) => addRisk(findings, ["for-each-repo"], "runs git in other repositories"),
  clone: ({ read, findings }) => {
    for (const option of read.options) {
      if (option.value === undefined || !/^(-c|--config)$/.test(option.name)) continue;
      const [, key = "", text = ""] = /^([^=]*)=?(.*)$/s.exec(option.value.text) ?? [];
      judgeSetting(key, { ...option.value, text }, findings);
    }
    const [url, target] = read.operands;
    judgeUrl(url, findings);
    if (target !== undefined) addFile(findings, "write", target);
  },
  fetch: ({ read, findings }) => judgeUrl(read.operands[0], findings),
  pull: ({ read, findings }) => judgeUrl(read.operands[0], findings),
  "ls-remote": ({ read, findings }) => judgeUrl(read.operands[0], findings),
  push: ({ read, findings }) => {
    judgeUrl(read.operands[0], findings);
    // `+ref` forces and `:ref` deletes, as the options do.
    const targets = read.operands.slice(1).map((word) => word.text);
    const operands = read.operands.map((word) => word.text.replace(/^[+:]/, ""));
    if (targets.some((text) => text.startsWith("+"))) {
      findings.otherWords.push(["git", "push", "--force", ...operands], ["git", "push", "-f", ...operands]);
    }
    if (targets.some((text) => text.startsWith(":"))) {
      findings.otherWords.push(["git", "push", "--delete", ...operands], ["git", "push", "-d", ...operands]);
    }
    if (hasOption(read, "-n", "--dry-run")) delete findings.outward;
  },
  "format-patch": ({ read, findings }) => {
    findings.readOnly = hasOption(read, "--stdout") && findings.riskyOptions.length === 0;
  },
  bundle: ({ read, findings }) => {
    const [action, file] = read.operands;
    if (action?.text === "create" && file !== undefined) {
      addRisk(findings, ["bundle create"], "writes a file");
      addFile(findings, "write", file);
    }
  },
  archive: ({ read, findings }) => {
    if (hasOption(read, "-o", "--output")) findings.readOnly = false;
  },
  help: ({ read, findings }) => {
    if (read.operands.length > 0) findings.readOnly &&= true;
  },
  apply: ({ call, findings }) => {
    if (call.command.directory !== undefined) addFile(findings, "write", literalWord("."));
  },
};

function addForced(read: ReadWords, findings: Findings): void {
  const operands = read.operands.map((word) => word.text);
  findings.otherWords.push(
    ["git", "branch", "--delete", "--force", ...operands],
    ["git", "branch", "-d", "-f", ...operands],
    ["git", "branch", "-d", ...operands],
    ["git", "branch", "--delete", ...operands],
  );
}

/** `ext::cmd` and `helper::address` start programs; `--option` as an address is one. */
function judgeUrl(word: ShellWord | undefined, findings: Findings): void {
  if (word === undefined) return;
  const code = /^ext::(.*)$/s.exec(word.text)?.[1];
  if (code !== undefined) addScript(findings, word, code);
  if (/^[A-Za-z0-9+.-]+::/.test(word.text)) findings.concerns.push(`the address ${word.text} starts a program`);
}

const configActions = /^(list|get|set|unset|rename-section|remove-section|edit)$/;
const configLooks = [
  "-l",
  "--list",
  "--get",
  "--get-all",
  "--get-regexp",
  "--get-urlmatch",
  "--get-color",
  "--get-colorbool",
];
const configOptions = lazily(() =>
  compileOptions({
    plain:
      "--global --system --local --worktree --includes --no-includes -z/--null --name-only --show-origin --show-scope --type: --bool --int --bool-or-int --path --expiry-date --default: --all --regexp --value: --fixed-value --url: -l/--list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --add --replace-all --unset --unset-all --rename-section --remove-section --append --comment:",
    special: [
      ["-f/--file:", "write"],
      ["--blob:", "none"],
      ["-e/--edit", "change"],
    ],
  }),
);

function judgeConfig({ words, findings }: SubCall): void {
  const read = readOptions(words, configOptions());
  findings.shape = { lead: ["git", "config"], read };
  findings.suggestedWords = 0;
  const action = configActions.test(read.operands[0]?.text ?? "") ? read.operands[0]?.text : undefined;
  const operands = action === undefined ? read.operands : read.operands.slice(1);
  const [key, value] = operands;
  const onlyReads =
    action === "list" ||
    action === "get" ||
    hasOption(read, ...configLooks) ||
    (action === undefined &&
      value === undefined &&
      !hasOption(read, "-e", "--edit", "--unset", "--unset-all", "--rename-section", "--remove-section"));
  const file = read.options.find((option) => option.name === "-f" || option.name === "--file")?.value;
  if (file !== undefined) addFile(findings, onlyReads ? "read" : "write", file.word, file.text);
  findings.readOnly = onlyReads;
  if (onlyReads) return;
  if (key === undefined || !key.isLiteral || !harmlessKeys.test(key.text)) {
    findings.concerns.push("it changes a setting that can make git run something");
    if (key?.isLiteral && value !== undefined && commandKeys.test(key.text))
      addScript(findings, value, value.text.replace(/^!/, ""));
  } else if (hasOption(read, "--global", "--system"))
    findings.concerns.push("it changes git for every repository of the machine");
}
