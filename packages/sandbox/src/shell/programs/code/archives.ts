/** Packers and unpackers: where they write, and the commands some of their options start. */
import type { ShellWord } from "../../shell-command.ts";
import {
  addFile,
  addFileOfOption,
  addRisk,
  addScript,
  type Findings,
  literalWord,
  type Refine,
  type RowProgram,
} from "../program-call.ts";
import { findOption, hasOption, type ReadWords } from "../read-options.ts";
import { readRow } from "../shapes/ordinary-program.ts";

const runs = "runs a command";

function judgeTar(read: ReadWords, findings: Findings): void {
  const isPacking = hasOption(read, "-c", "-r", "-u", "-A", "--delete");
  const isUnpacking = hasOption(read, "-x") && !hasOption(read, "-O");
  if (isPacking || isUnpacking) findings.readOnly = false;
  const archive = findOption(read, "-f");
  if (archive !== undefined)
    judgeArchive(
      archive.value?.text ?? "",
      () => addFileOfOption(findings, isPacking ? "write" : "read", archive),
      findings,
    );
  const directory = findOption(read, "-C");
  if (directory !== undefined) addFileOfOption(findings, isUnpacking ? "write" : "read", directory);
  else if (isUnpacking) addFile(findings, "write", literalWord("."));
  if (!hasOption(read, "-O", "--to-command")) tellNamesOnly(findings);
  if (isPacking || hasOption(read, "-x")) for (const word of read.operands) addFile(findings, "read", word);
  for (const option of read.options) {
    if (option.name !== "--checkpoint-action" || option.value === undefined) continue;
    const code = /^exec=(.*)$/s.exec(option.value.text)?.[1];
    if (!/^(dot|echo|ttyout|bell|totals|sleep|wait|\.|=)/.test(option.value.text))
      addRisk(findings, ["--checkpoint-action"], runs);
    if (code !== undefined) addScript(findings, option.value.word, code);
  }
}

/** What is listed or unpacked shows nothing of the content; the files that come out of it are judged by their names. */
function tellNamesOnly(findings: Findings): void {
  findings.files.forEach((file, index) => {
    if (file.access === "read") findings.files[index] = { ...file, onlyNames: true };
  });
}

/** `host:file` is fetched over a remote shell. */
function judgeArchive(text: string, addIt: () => void, findings: Findings): void {
  if (/^[\w.@-]+:/.test(text)) {
    findings.outward = "packs to or from another machine";
    findings.readOnly = false;
  } else addIt();
}

/** The first word may hold the options without a dash: `tar xzf a.tgz`. */
const tar: RowProgram = (call, findings) => {
  const [first, ...rest] = call.words;
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(first.text);
  const words = isOld ? spreadOldOptions(first.text, rest) : call.words;
  judgeTar(readRow({ ...call, words }, findings), findings);
  if (first?.isLiteral === false) findings.readOnly = false;
};

/** Values of joined letters without a dash follow in the order of the letters. */
function spreadOldOptions(letters: string, rest: readonly ShellWord[]): readonly ShellWord[] {
  const takesValue = /[fbCTXgHIKLNVF]/;
  const words: ShellWord[] = [];
  let used = 0;
  for (const letter of letters) {
    words.push(literalWord(`-${letter}`));
    const value = takesValue.test(letter) ? rest[used] : undefined;
    if (value === undefined) continue;
    words.push(value);
    used += 1;
  }
  return [...words, ...rest.slice(used)];
}

const unzip: Refine = ({ read }, findings) => {
  const [archive, ...members] = read.operands;
  if (archive !== undefined) addFile(findings, "read", archive);
  if (!hasOption(read, "-p", "-c")) tellNamesOnly(findings);
  for (const word of members) addFile(findings, "read", word);
  const onlyLooks = hasOption(read, "-l", "-t", "-v", "-p", "-Z", "-z");
  findings.readOnly = onlyLooks && isCertain(read);
  if (!onlyLooks && !hasOption(read, "-d")) addFile(findings, "write", literalWord("."));
};

/** Every word is what it seems: no other option, no option that nobody knows. */
function isCertain(read: ReadWords): boolean {
  return read.untrusted.length === 0 && read.options.every((option) => option.rule !== undefined);
}

const zip: Refine = ({ read, words }, findings) => {
  const [archive, ...files] = read.operands;
  if (archive !== undefined) addFile(findings, "write", archive);
  for (const word of files) addFile(findings, "read", word);
  // The command may also be joined: `-TT'cmd'`.
  if (words.some((word) => (/^-[A-Za-z]*TT/.test(word.text) && word.text !== "-TT") || /^--unzip/.test(word.text)))
    addRisk(findings, ["-TT"], runs);
};

const sevenZip: Refine = ({ read, words }, findings) => {
  const [action, archive, ...files] = read.operands;
  const packs = /^[aud]$|^rn$/.test(action?.text ?? "");
  const unpacks = /^[ex]$/.test(action?.text ?? "");
  findings.readOnly = /^[lt]$/.test(action?.text ?? "") && isCertain(read);
  if (archive !== undefined) addFile(findings, packs ? "write" : "read", archive);
  if (!words.some((word) => word.text === "-so")) tellNamesOnly(findings);
  if (packs || unpacks) for (const word of files) addFile(findings, "read", word);
  const target = words.find((word) => /^-o./.test(word.text));
  if (target !== undefined) addFile(findings, "write", target, target.text.slice(2));
  else if (unpacks) addFile(findings, "write", literalWord("."));
};

const cpio: Refine = ({ read }, findings) => {
  if (hasOption(read, "-i", "-p") && !hasOption(read, "-t", "-D")) addFile(findings, "write", literalWord("."));
  if (hasOption(read, "-p")) for (const word of read.operands) addFile(findings, "write", word);
};

export const archiveCode = { tar };

export const archiveRefinements = { unzip, zip, sevenZip, cpio };
