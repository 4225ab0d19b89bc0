/** `find` and `fd`: they list files, and with some expressions run, write or remove. */
import type { ShellWord } from "../../shell-command.ts";
import { addFile, addInnerWords, addRisk, type Findings, type RowProgram } from "../program-call.ts";
import { mayGive } from "../read-options.ts";
import { readRow } from "../shapes/ordinary-program.ts";
import { isVitalPath } from "./guard.ts";
import { listedName } from "./produced-words.ts";

const runsWords = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const writesFile = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);
const takesOne = new Set(
  "-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype -D".split(
    " ",
  ),
);
const takesNone = new Set(
  "-H -L -P -a -and -o -or -not -empty -executable -readable -writable -false -true -daystart -depth -d -follow -help --help -version --version -ignore_readdir_race -noignore_readdir_race -mount -xdev -nogroup -nouser -noleaf -nowarn -warn -print -print0 -prune -quit -ls -X -x -E -s".split(
    " ",
  ),
);

const find: RowProgram = ({ words, command, place }, findings) => {
  findings.readOnly = true;
  findings.suggestedWords = 0;
  const roots = words.slice(0, countRoots(words)).filter((word) => !/^-([HLPEXdsx]+|O\d)$/.test(word.text));
  for (const word of roots) addFile(findings, "read", word);
  for (const [at, word] of words.entries()) judgeUnknown(word, words[at - 1], findings);
  let index = countRoots(words);
  let removes = false;
  let starts = false;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) break;
    const name = word.text;
    if (runsWords.has(name)) {
      const end = findEnd(words, index + 1);
      const inner = handedWords(words.slice(index + 1, end), words[end]?.text === "+");
      addExecuted(inner, findings);
      removes ||= inner.some((part) => /^(.*\/)?(rm|shred|unlink)$/.test(part.text));
      starts = true;
      // It runs in another directory, or waits for a person.
      if (name !== "-exec") findings.readOnly = false;
      index = end + 1;
      continue;
    }
    if (name === "-delete") {
      addRisk(findings, ["-delete"], "removes files");
      findings.readOnly = false;
      removes = true;
      for (const root of roots) addFile(findings, "write", root);
    } else if (writesFile.has(name)) {
      addRisk(findings, [name], "writes a file");
      findings.readOnly = false;
      const target = words[index + 1];
      if (target !== undefined) addFile(findings, "write", target);
      index += 1;
    } else if (name === "-files0-from") {
      const source = words[index + 1];
      if (source !== undefined) addFile(findings, "read", source);
      index += 1;
    } else if (takesOne.has(name) || /^-newer[aBcm][aBcmt]$/.test(name)) index += 1;
    else if (!takesNone.has(name) && !/^[(),!]$|^-O\d$/.test(name)) findings.readOnly = false;
    index += 1;
  }
  if (starts) {
    if (findings.readOnly) findings.looksThrough = true;
    findings.readOnly = false;
  }
  const isNarrowed = words.some((word) =>
    /^-(i?name|i?path|i?regex|i?wholename|empty|mtime|mmin|newer.*|size|perm|user)$/.test(word.text),
  );
  if (
    removes &&
    !isNarrowed &&
    (roots.length === 0 || roots.some((root) => isVitalPath(root, command.directory, place)))
  ) {
    findings.guard = "it removes everything below a directory that matters";
  }
};

const actions = [...runsWords, ...writesFile, "-delete", "-files0-from"];

/** A word that is the value of a test stays one as long as it is one word. */
function judgeUnknown(word: ShellWord, before: ShellWord | undefined, findings: Findings): void {
  const isValue = before?.isLiteral === true && takesOne.has(before.text);
  if (word.isLiteral || (isValue && !word.isSplit) || !actions.some((action) => mayGive(word, action))) return;
  findings.concerns.push(`${word.text} may become an action that runs or removes something`);
  findings.readOnly = false;
}

function countRoots(words: readonly ShellWord[]): number {
  let count = 0;
  for (const word of words) {
    if (/^-([HLPEXdsx]+|O\d)$/.test(word.text) || !/^[-(!,]/.test(word.text)) count += 1;
    else break;
  }
  return count;
}

function findEnd(words: readonly ShellWord[], from: number): number {
  for (let index = from; index < words.length; index += 1) {
    const text = words[index]?.text;
    if (text === ";" || (text === "+" && words[index - 1]?.text === "{}")) return index;
  }
  return words.length;
}

/** Behind `{} +` all names that are found stand at once. */
function handedWords(words: readonly ShellWord[], atOnce: boolean): readonly ShellWord[] {
  return atOnce ? words.map((word) => (word.text === "{}" ? { ...listedName, isPlaced: true } : word)) : words;
}

/** A found name is no option, since it begins with its root; inside of code it is code. */
function addExecuted(words: readonly ShellWord[], findings: Findings): void {
  addInnerWords(findings, words);
  const isInCode = words.some((word) => word.text.includes("{}") && word.text !== "{}" && /[\s;|&$`]/.test(word.text));
  if (isInCode || words[0]?.text.includes("{}")) {
    findings.inner.push({ kind: "unknown", why: "names of files become a part of the code that runs" });
  }
}

const fd: RowProgram = (call, findings) => {
  const at = call.words.findIndex((word) => /^(-[A-Za-z]*[xX]|--exec(-batch)?|--exec-b[a-z]*)$/.test(word.text));
  const before = at < 0 ? call.words : call.words.slice(0, at);
  const attached = before.findIndex((word) => /^(-[xX].|--exec(-batch)?=)/.test(word.text));
  const read = readRow({ ...call, words: before }, findings);
  findings.suggestedWords = 1;
  for (const word of read.operands.slice(1)) addFile(findings, "read", word);
  if (read.untrusted.length > 0) findings.concerns.push("a word may become an option that runs something");
  if (at < 0 && attached < 0) return;
  findings.readOnly = false;
  if (attached >= 0) {
    const word = before[attached];
    const text = word?.text.replace(/^(-[xX]|--exec(-batch)?=)/, "") ?? "";
    addInnerWords(findings, [
      { text, isLiteral: word?.isLiteral ?? false, isSplit: false, isGlob: false },
      ...before.slice(attached + 1),
    ]);
    return;
  }
  const end = call.words.findIndex((word, index) => index > at && word.text === ";");
  addExecuted(call.words.slice(at + 1, end < 0 ? undefined : end), findings);
};

export const findCode = { find, fd };
