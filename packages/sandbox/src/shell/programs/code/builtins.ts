/** What the shell itself does: directories, variables, aliases, history. */
import type { ShellWord } from "../../shell-command.ts";
import { subscriptOf } from "../../syntax/word-parts.ts";
import {
  addFile,
  addScript,
  type Findings,
  literalWord,
  type Refine,
  type RowProgram,
  unknownWord,
} from "../program-call.ts";
import { findOption, hasOption, mayBecomeOption, mayGive } from "../read-options.ts";
import { readRow } from "../shapes/ordinary-program.ts";

const changeDirectory: Refine = ({ read, place }, findings) => {
  findings.readOnly = true;
  const [target] = read.operands;
  if (target === undefined) findings.movesTo = { word: literalWord(place.home) };
  // `cd -`, `pushd +1` and two words name places that only the running shell knows; with -P, links lead elsewhere.
  else if (hasOption(read, "-P")) findings.movesTo = { word: undefined };
  else if (!target.isLiteral || /^(-|[-+]\d+|)$/.test(target.text) || read.operands.length > 1)
    findings.movesTo = { word: undefined };
  else findings.movesTo = { word: target };
};

const rotateDirectories: RowProgram = (call, findings) => {
  if (call.name === "pushd" && call.words.length > 0) {
    return changeDirectory({ ...call, read: readRow(call, findings) }, findings);
  }
  findings.readOnly = true;
  findings.movesTo = { word: undefined };
};

const assigning = /^([A-Za-z_]\w*)(\[.*\])?(\+?=)(.*)$/s;

/** `declare`, `export` and their kin. */
const declare: Refine = ({ read }, findings) => {
  const isArray = hasOption(read, "-a", "-A");
  for (const word of read.operands) assign(word, findings, { isArray });
  if (hasOption(read, "-f", "-F", "-p")) return;
  findings.suggestedWords = 0;
};

function assign(word: ShellWord, findings: Findings, { isArray }: { readonly isArray: boolean }): void {
  const parts = assigning.exec(word.text);
  if (parts !== null) {
    const [, name = "", , , text = ""] = parts;
    const mayBeReread = rereads(word, text) && { mayBeReread: true as const };
    findings.assigned.push({ name, value: { ...word, text }, ...mayBeReread });
    if (mayBeReread && (isArray || word.isLiteral)) addRereadText(word, name, text, findings);
    addSubscript(word, parts[2], findings);
  } else if (word.isLiteral && /^[A-Za-z_]\w*$/.test(word.text))
    findings.assigned.push({ name: word.text, value: undefined });
  else setsUnknown(word, findings);
}

/** Bash reads a value in parentheses again where the variable is an array, however it was quoted: `declare -a x='($(id))'`. */
function rereads({ isLiteral, isArray }: ShellWord, text: string): boolean {
  return !isArray && (isLiteral ? text.startsWith("(") : /^[($`]/.test(text));
}

function addRereadText(word: ShellWord, name: string, text: string, findings: Findings): void {
  findings.readOnly = false;
  findings.concerns.push("the value of an array is read again, and what it holds can run commands");
  if (word.isLiteral) findings.inner.push({ kind: "script", text: `${name}=${text}` });
}

function setsUnknown(word: ShellWord, findings: Findings): void {
  if (word.isLiteral) addSubscript(word, word.text, findings);
  else findings.concerns.push(`which variable ${word.text} sets is not known`);
  findings.readOnly = false;
}

/** A subscript is arithmetic, and arithmetic runs the substitutions in it although they were quoted. */
function addSubscript(word: ShellWord, text: string | undefined, findings: Findings): void {
  if (text === undefined || /^\[[@*]\]$/.test(text)) return;
  findings.arithmetic.push({ ...word, text: text.replace(/^\[(.*)\]$/s, "$1") });
  addCode(text, findings);
}

/** Code in a text that is evaluated, so that rules that forbid it find it. */
function addCode(text: string, findings: Findings): void {
  const code = /\$\(.*\)|`.*`/s.exec(text)?.[0];
  if (code === undefined) return;
  findings.inner.push({ kind: "script", text: `: ${code}` });
  findings.readOnly = false;
}

function setNamed(words: readonly (ShellWord | undefined)[], findings: Findings): void {
  for (const word of words) {
    if (word === undefined) continue;
    const name = /^([A-Za-z_]\w*)(\[.*\])?$/s.exec(word.text);
    if (!word.isLiteral || name === null) setsUnknown(word, findings);
    else {
      findings.assigned.push({ name: name[1] ?? "", value: unknownWord(word.text) });
      addSubscript(word, name[2], findings);
    }
  }
}

const readVariables: Refine = ({ read }, findings) => {
  setNamed([...read.operands, findOption(read, "-a")?.value?.word], findings);
};

const printFormatted: RowProgram = (call, findings) => {
  const [first, second] = call.words;
  findings.readOnly = true;
  findings.suggestedWords = 1;
  if (first?.text === "-v" && second !== undefined) setNamed([second], findings);
  else if (first?.text.startsWith("-v") && first.isLiteral) setNamed([literalWord(first.text.slice(2))], findings);
  else if (first !== undefined && mayBecomeOption(first)) {
    findings.concerns.push(`${first.text} may become an option that sets a variable`);
  }
};

const mapFile: Refine = ({ read }, findings) => {
  setNamed(read.operands, findings);
};

const getOptions: Refine = ({ read }, findings) => setNamed([read.operands[1]], findings);

const wait: Refine = ({ read }, findings) => setNamed([findOption(read, "-p")?.value?.word], findings);

const unset: Refine = ({ read }, findings) => {
  for (const word of read.operands) assign(word, findings, { isArray: false });
};

/** With `-v` a name is evaluated: the operator may come out of a word, and so may its operand. */
const test: RowProgram = ({ words }, findings) => {
  findings.readOnly = true;
  findings.suggestedWords = 1;
  words.forEach((word, index) => {
    const before = words[index - 1];
    if (before === undefined || !naming.some((operator) => mayGive(before, operator))) {
      // Of several words it can become, one may be the operator for the next.
      if (word.isSplit && naming.some((operator) => mayGive(word, operator))) findings.arithmetic.push(word);
      return;
    }
    if (before.isLiteral && word.isLiteral) {
      for (const text of subscriptOf(word.text)) addSubscript(word, text, findings);
    } else if (!word.isLiteral) findings.arithmetic.push(word);
  });
};

const naming = ["-v", "-R"];

const letNumbers: RowProgram = ({ words }, findings) => {
  findings.readOnly = true;
  for (const word of words) {
    findings.arithmetic.push(word);
    addCode(word.text, findings);
    const name = /^([A-Za-z_]\w*)(\[.*\])?\s*([-+*/%&|^]|<<|>>)?=[^=]/s.exec(word.text)?.[1];
    if (name !== undefined) findings.assigned.push({ name, value: unknownWord(word.text) });
  }
};

const alias: Refine = ({ read }, findings) => {
  findings.suggestedWords = 0;
  const defined = read.operands.filter((word) => word.text.includes("=") || !word.isLiteral);
  if (defined.length === 0) return;
  findings.readOnly = false;
  findings.concerns.push("an alias changes what a later command runs");
};

const hash: Refine = ({ read }, findings) => {
  if (hasOption(read, "-p") || read.operands.some((word) => word.text.includes("="))) {
    findings.concerns.push("it changes what a later command runs");
  }
};

const enable: Refine = ({ read }, findings) => {
  if (hasOption(read, "-f", "-n", "-d")) findings.concerns.push("it changes which builtins the shell has");
};

const complete: Refine = ({ read, name }, findings) => {
  const list = findOption(read, "-W")?.value;
  // The list is expanded again, although it was quoted.
  if (list !== undefined && !list.word.isLiteral) findings.concerns.push("its list of words is expanded when it runs");
  else if (list !== undefined) addCode(list.text, findings);
  if (name === "complete" || /[$`]/.test(list?.text ?? "")) findings.readOnly = false;
  const function_ = findOption(read, "-F")?.value;
  if (function_ !== undefined) addScript(findings, function_.word, function_.text);
};

/** They change which files a pattern names, what words mean, or what a line is. */
const changingSettings = /^(?!(?:nullglob|failglob|globstar|inherit_errexit|huponexit|xpg_echo|checkwinsize)$)/;
const changingModes = /^(?:histexpand|history|keyword|posix)$/;

const shellSettings: Refine = ({ read, name }, findings) => {
  const isOther =
    name === "shopt"
      ? hasOption(read, "-s", "-u") && read.operands.some((word) => changingSettings.test(word.text))
      : hasOption(read, "-k") || read.options.some(({ value }) => changingModes.test(value?.text ?? ""));
  findings.readOnly = read.untrusted.length === 0 && !isOther;
  if (hasOption(read, "-k") || read.options.some(({ value }) => value?.text === "keyword"))
    findings.concerns.push("every word with = sets a variable from then on");
  const isPhysical = hasOption(read, "-P") || read.options.some(({ value }) => value?.text === "physical");
  if (isPhysical) findings.concerns.push("directories are followed through their links from then on");
};

const fixCommand: Refine = ({ read }, findings) => {
  if (!hasOption(read, "-l")) findings.unknown = "it reruns an earlier command, which is not visible";
};

const history: Refine = ({ read }, findings) => {
  for (const word of read.operands)
    if (!/^\d+$/.test(word.text)) addFile(findings, hasOption(read, "-a", "-w") ? "write" : "read", word);
  if (hasOption(read, "-a", "-w", "-c", "-d")) findings.concerns.push("it changes the history of the shell");
};

export const builtinCode = { rotateDirectories, printFormatted, test, letNumbers };

export const builtinRefinements = {
  changeDirectory,
  declare,
  readVariables,
  mapFile,
  getOptions,
  wait,
  unset,
  alias,
  hash,
  enable,
  complete,
  shellSettings,
  fixCommand,
  history,
};
