/** What rows cannot say about sub-commands of git, because it depends on more than their options. */
import type { ShellWord } from "../../shell-command.ts";
import {
  addFile,
  addInnerWords,
  addJoinedScript,
  addRisk,
  addScript,
  type Findings,
  literalWord,
  type Refine,
} from "../program-call.ts";
import { hasOption, type ReadWords } from "../read-options.ts";
import { mayBeSeveral } from "../shapes/ordinary-program.ts";
import { judgeConfig } from "./git-config.ts";
import { judgeSetting } from "./git-settings.ts";

const pathsAfterDashes: Refine = ({ words }, findings) => {
  const dashes = words.findIndex((word) => word.text === "--");
  for (const word of dashes < 0 ? [] : words.slice(dashes + 1)) addFile(findings, "write", word);
};

/** What somebody set aside, or sent, is written over whichever files it names. */
const writesTree: Refine = (_, findings) => addFile(findings, "write", literalWord("."));

const listsOnly =
  (...names: readonly string[]): Refine =>
  ({ read }, findings) => {
    const [action] = read.operands;
    if (action === undefined || names.includes(action.text)) return;
    findings.readOnly = false;
  };

/** What a commit or the index holds of a file is read like the file: `HEAD:.env`, `-- .env`, `-L 1,5:.env`. */
const content: Refine = ({ words, read }, findings) => {
  const dashes = words.findIndex((word) => word.text === "--" && word.isLiteral);
  const paths = dashes < 0 ? [] : words.slice(dashes + 1);
  for (const word of paths) addFile(findings, "read", word, word.text.replace(/^:(?:\([^)]*\)|[/!^]+)?/, "") || ".");
  for (const word of read.operands) {
    if (paths.includes(word)) continue;
    const path = /^[^:]*:(?:\d:)?(.+)$/s.exec(word.text)?.[1] ?? (isPath(word.text) ? word.text : undefined);
    if (path !== undefined) addFile(findings, "read", word, path);
  }
  for (const { name, value } of read.options) {
    const path = name === "-L" ? /:([^:]+)$/.exec(value?.text ?? "")?.[1] : undefined;
    if (value !== undefined && path !== undefined) addFile(findings, "read", value.word, path);
  }
};

/** It may be the name of a file and is no range or ancestor of a commit. */
function isPath(text: string): boolean {
  return /[./]/.test(text) && !/\.\.(?!\/)|[~^]|@\{/.test(text);
}

export const gitRefinements: Readonly<Record<string, Refine>> = {
  content,
  diff: (call, findings) => {
    // Outside of a repository, or with this option, any two files can be read.
    if (!hasOption(call.read, "--no-index")) return content(call, findings);
    findings.readsTrees = true;
    for (const word of call.read.operands) addFile(findings, "read", word);
  },
  help: ({ read }, findings) => {
    // The page of a command is shown by a program of the configuration's choice.
    if (read.operands.length > 0) findings.readOnly = false;
  },
  grep: (call, findings) => {
    const { read } = call;
    const operands = hasOption(read, "-e", "-f") ? read.operands : read.operands.slice(1);
    if (hasOption(read, "--no-index")) for (const word of operands) addFile(findings, "read", word);
    else content({ ...call, read: { ...read, operands } }, findings);
    const pager = read.options.find((option) => option.name === "-O" || option.name === "--open-files-in-pager");
    if (pager !== undefined) findings.readOnly = false;
  },
  checkout: pathsAfterDashes,
  restore: ({ read }, findings) => {
    if (hasOption(read, "-S", "--staged") && !hasOption(read, "-W", "--worktree")) return;
    for (const word of read.operands) addFile(findings, "write", word);
  },
  am: writesTree,
  tag: ({ read }, findings) => {
    if (read.operands.length > 0 && !hasOption(read, "-l", "--list", "-n", "--contains", "--points-at", "--merged"))
      findings.readOnly = false;
  },
  branch: ({ read }, findings) => {
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
  remote: ({ read }, findings) => {
    const [action, name, url] = read.operands;
    findings.readOnly = action === undefined || action.text === "get-url";
    if (action?.text === "add" || action?.text === "set-url") judgeUrl(url ?? name, findings);
  },
  stash: (call, findings) => {
    const action = call.read.operands[0]?.text ?? "";
    findings.readOnly &&= /^(list|show)$/.test(action);
    if (/^(pop|apply|branch)$/.test(action)) writesTree(call, findings);
  },
  worktree: ({ read }, findings) => {
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
  // With a second word it sets what the first one stands for.
  "symbolic-ref": ({ read }, findings) => {
    findings.readOnly &&= read.operands.length === 1 && !mayBeSeveral(read.operands);
  },
  config: ({ read }, findings) => judgeConfig(read, findings),
  bisect: ({ words }, findings) => {
    const [action, ...rest] = words;
    findings.suggestedWords = 3;
    if (action?.text === "run") addInnerWords(findings, rest);
    if (action?.text === "log" || action?.text === "view") findings.readOnly = false;
  },
  submodule: ({ words }, findings) => {
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
  "filter-branch": ({ words }, findings) => {
    words.forEach((word, index) => {
      const attached = /^--(?:.*-filter|setup)=(.*)$/s.exec(word.text)?.[1];
      const next = words[index + 1];
      if (attached !== undefined) addScript(findings, word, attached);
      else if (/^--(.*-filter|setup)$/.test(word.text) && next !== undefined) addScript(findings, next);
    });
    addRisk(findings, ["filter-branch"], "runs a command on every commit");
  },
  subtree: ({ words }, findings) => {
    if (words[0]?.text !== "push") return;
    findings.outward = "pushes commits to another machine";
    findings.otherWords.push(["git", ...words.map((word) => word.text)]);
  },
  "send-email": (_, findings) => addRisk(findings, ["send-email"], "sends mail"),
  instaweb: (_, findings) => addRisk(findings, ["instaweb"], "starts a server"),
  daemon: (_, findings) => addRisk(findings, ["daemon"], "starts a server"),
  "for-each-repo": (_, findings) => addRisk(findings, ["for-each-repo"], "runs git in other repositories"),
  clone: ({ read }, findings) => {
    for (const option of read.options) {
      if (option.value === undefined || !/^(-c|--config)$/.test(option.name)) continue;
      const [, key = "", text = ""] = /^([^=]*)=?(.*)$/s.exec(option.value.text) ?? [];
      judgeSetting(key, { ...option.value, text }, findings);
    }
    const [url, target] = read.operands;
    judgeUrl(url, findings);
    if (target !== undefined) addFile(findings, "write", target);
  },
  fetch: ({ read }, findings) => judgeUrl(read.operands[0], findings),
  pull: ({ read }, findings) => judgeUrl(read.operands[0], findings),
  "ls-remote": ({ read }, findings) => judgeUrl(read.operands[0], findings),
  push: ({ read }, findings) => {
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
  "format-patch": ({ read }, findings) => {
    findings.readOnly = hasOption(read, "--stdout") && findings.riskyOptions.length === 0;
  },
  bundle: ({ read }, findings) => {
    const [action, file] = read.operands;
    if (action?.text === "create" && file !== undefined) {
      addRisk(findings, ["bundle create"], "writes a file");
      addFile(findings, "write", file);
    }
  },
  archive: (call, findings) => {
    if (hasOption(call.read, "-o", "--output")) findings.readOnly = false;
    content(call, findings);
  },
  apply: ({ command }, findings) => {
    if (command.directory !== undefined) addFile(findings, "write", literalWord("."));
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
