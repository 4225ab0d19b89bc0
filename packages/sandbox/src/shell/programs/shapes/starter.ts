/** Finds the command that a program starts where a mark, an option or a place among the words tells which one it is. */
import type { ShellWord } from "../../shell-command.ts";
import { addInnerWords, addScript, type Findings, literalWord, type Program } from "../program-call.ts";
import type { StartedCommand } from "../program-row.ts";

/** What else is known about such a program stays. */
export function withStarted(row: StartedCommand, program: Program): Program {
  const after = row.after === undefined ? undefined : new RegExp(row.after);
  return (call, findings) => {
    program(call, findings);
    const count = findings.inner.length;
    addStarted(row, after, call.words, findings);
    if (findings.inner.length === count) return;
    findings.readOnly = false;
    findings.isTransparent = false;
    findings.suggestedWords = 0;
  };
}

function addStarted(
  row: StartedCommand,
  after: RegExp | undefined,
  given: readonly ShellWord[],
  findings: Findings,
): void {
  const start = row.verb === undefined ? 0 : given.findIndex((word) => word.text === row.verb) + 1;
  if (row.verb !== undefined && start === 0) return;
  const words = given.slice(start);
  for (const option of row.scripts ?? []) addOptionScript(option, words, findings);
  const mark = after === undefined ? -1 : words.findIndex((word) => after.test(word.text));
  if (mark >= 0) addInnerWords(findings, words.slice(mark + 1));
  if (row.listsScripts) for (const word of words) if (!word.text.startsWith("-")) addScript(findings, word);
  if (row.from !== undefined) addInnerWords(findings, skipOptions(words, row));
}

function addOptionScript(option: string, words: readonly ShellWord[], findings: Findings): void {
  words.forEach((word, index) => {
    const next = words[index + 1];
    if (word.text === option && next !== undefined) addScript(findings, next);
    else if (word.text.startsWith(`${option}=`)) {
      const text = word.text.slice(option.length + 1);
      addScript(findings, word.isLiteral ? literalWord(text) : word, text);
    }
  });
}

/** The words from the operand at which the command begins. */
function skipOptions(words: readonly ShellWord[], { from = 0, valued = "" }: StartedCommand): readonly ShellWord[] {
  const taking = new Set(valued.split(" "));
  let operands = 0;
  for (let index = 0; index < words.length; index += 1) {
    const text = words[index]?.text ?? "";
    if (text === "--") return words.slice(index + 1 + (from - operands));
    if (text.startsWith("-") && text.length > 1) {
      if (taking.has(text)) index += 1;
      continue;
    }
    if (operands === from) return words.slice(index);
    operands += 1;
  }
  return [];
}
