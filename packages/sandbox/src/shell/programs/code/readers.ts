/** What rows cannot say about readers and small tools, because their operands decide what they do. */
import type { ShellWord } from "../../shell-command.ts";
import { addFile, addRisk, addScript, type Findings, type ReadCall, type Refine } from "../program-call.ts";
import { findOption, hasOption } from "../read-options.ts";
import { mayBeSeveral } from "../shapes/ordinary-program.ts";

/** With more words it does more. */
export const alone: Refine = ({ read, words }, findings) => {
  if (read.operands.length > 0 || words.some((word) => !word.isLiteral)) findings.readOnly = false;
};

export const readerRefinements: Readonly<Record<string, Refine>> = {
  /** A compiler that is asked for nothing else. */
  version: ({ words }, findings) => {
    if (words.length === 1 && words[0]?.text === "--version") findings.readOnly = true;
  },
  hostname: ({ read }, findings) => {
    if (read.operands.length === 0) return;
    findings.readOnly = false;
    findings.concerns.push("it sets the name of the machine");
  },
  date: ({ read }, findings) => {
    if (!read.operands.some((word) => !word.text.startsWith("+"))) return;
    findings.readOnly = false;
    findings.concerns.push("it sets the clock");
  },
  pager: (call, findings) => runStartCommands(call, findings),
  man: ({ read }, findings) => {
    // A path is a page of its own, of anybody's making.
    for (const word of read.operands) {
      if (!word.isLiteral || word.text.includes("/")) findings.readOnly = false;
      if (word.text.includes("/")) addFile(findings, "read", word);
    }
  },
  alone,
  /** `@file` stands for the options in that file, one of which loads code. */
  responseFile: ({ read }, findings) => {
    const isGiven = (word: ShellWord) => (word.isLiteral ? word.text.startsWith("@") : /^[@*?[{$`]/.test(word.text));
    if (!read.operands.some((word) => isGiven(word) || (word.isSplit && !word.isGlob))) return;
    addRisk(findings, ["@"], "takes options from a file");
    findings.readOnly = false;
  },
  /** An address is fetched. */
  localFiles: ({ words }, findings) => {
    if (words.some((word) => word.text.includes("://") || (!word.isLiteral && !word.isGlob))) findings.readOnly = false;
  },
  /** Its expressions read files and variables. */
  yq: ({ read }, findings) => {
    if (read.operands.some((word) => /load|env|system|eval/.test(word.text) || (!word.isLiteral && !word.isGlob)))
      findings.readOnly = false;
  },
  xxd: ({ read }, findings) => {
    if (read.operands.length > 1 || mayBeSeveral(read.operands)) findings.readOnly = false;
  },
  uniq: ({ read }, findings) => {
    if (read.operands.length < 2 && !mayBeSeveral(read.operands)) return;
    findings.readOnly = false;
    addRisk(findings, [read.operands.map((word) => word.text).join(" ")], "writes its second file");
  },
  dc: ({ read }, findings) => {
    const code = findOption(read, "-e")?.value;
    const shell = /!(?![<>=])(.*)/.exec(code?.text ?? "")?.[1];
    if (code !== undefined && shell !== undefined) addScript(findings, code.word, shell);
  },
  tree: ({ words }, findings) => {
    // Joined letters take their values from the words that follow, one after the other.
    if (words.some((word) => /^-[^-o]+o/.test(word.text))) addRisk(findings, ["-o"], "writes a file");
  },
  echo: (_, findings) => {
    findings.readOnly = true;
  },
  ps: ({ read }, findings) => {
    // Without a dash `e` shows the variables of processes; some letters take the next word.
    const letters = read.operands.filter((_, index) => !/[kopqtNOU]$/.test(read.operands[index - 1]?.text ?? ""));
    if (letters.some((word) => !word.isLiteral || /^[A-Za-z]*e[A-Za-z]*$/.test(word.text)))
      findings.concerns.push("it may show variables of processes, in which secrets can be");
  },
  top: ({ command, read }, findings) => {
    // It takes commands from a person unless it runs as a batch.
    if (command.input.kind !== "inherited" || !hasOption(read, "-b", "-l")) findings.readOnly = false;
  },
  screen: ({ read, words }, findings) => {
    if (words.length === 1 && hasOption(read, "-ls", "-list")) findings.readOnly = true;
    else if (hasOption(read, "-X")) findings.concerns.push("it types commands into another terminal");
    else if (read.operands.length > 0) findings.inner.push({ kind: "words", words: read.operands });
    else findings.unknown = "it starts a shell whose commands are not visible";
  },
  gdb: ({ read }, findings) => {
    const code = findOption(read, "-ex", "--ex", "-eval-command", "--eval-command", "-iex")?.value;
    const shell = /^\s*(?:shell|!)\s*(.*)$/s.exec(code?.text ?? "")?.[1];
    if (code !== undefined && shell !== undefined) addScript(findings, code.word, shell);
    if (read.operands.length > 0) findings.inner.push({ kind: "words", words: read.operands });
  },
};

/** `less +!cmd` and `less '+|cmd'` run a command as soon as the file is shown. */
function runStartCommands({ words, read }: ReadCall, findings: Findings): void {
  for (const word of read.operands) if (!word.text.startsWith("+")) addFile(findings, "read", word);
  for (const word of words) {
    if (/^-[^-].*\+[^\d]/s.test(word.text)) findings.concerns.push("a command of the pager may be among its options");
    const command = /^\+\+?(.*)$/s.exec(word.text)?.[1];
    if (command === undefined || /^(\d*[gGpF%]?|\/.*|F)$/s.test(command)) continue;
    findings.readOnly = false;
    addRisk(findings, [word.text], "runs commands of the pager");
    const code = /^[^!]*!(.*)$/s.exec(command)?.[1];
    if (code !== undefined) addScript(findings, word, code);
  }
}
