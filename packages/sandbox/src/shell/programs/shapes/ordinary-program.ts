/** Programs that a row describes completely, or up to what one function adds. */
import type { ShellWord } from "../../shell-command.ts";
import { compileOptions, type OptionSet, type OptionTable } from "../option-set.ts";
import {
  addFile,
  addFileOfOption,
  addRisk,
  addScript,
  type Findings,
  type Program,
  type ProgramCall,
  type Refine,
  type RowOptions,
} from "../program-call.ts";
import type { OperandUse, OrdinaryRow } from "../program-row.ts";
import { findOption, hasOption, isOpen, type ReadWords, readOptions } from "../read-options.ts";

export function ordinaryProgram(row: OrdinaryRow, refine: Refine | undefined): Program {
  const table = { row, options: compileOptions(row) };
  return (call, findings) => {
    const read = readRow({ ...call, table }, findings);
    refine?.({ ...call, read }, findings);
  };
}

/** Reads the words of a call by its row and gathers what that tells. */
export function readRow(call: ProgramCall & { readonly table: RowOptions }, findings: Findings): ReadWords {
  const { row, options } = call.table;
  const read = readOptions(call.words, options);
  findings.shape = { lead: [call.name], read };
  applyRow(row, options, read, findings);
  return read;
}

type AppliedRow = OptionTable & Partial<Omit<OrdinaryRow, "shape">>;

export function applyRow(row: AppliedRow, set: OptionSet, read: ReadWords, findings: Findings): void {
  let onlyLooks = row.looks ?? false;
  for (const option of read.options) {
    const { rule } = option;
    if (rule === undefined) {
      onlyLooks = false;
      continue;
    }
    const writes = rule.effect === "write" || rule.effect === "output";
    if (writes && isFreeTarget(option.value?.text, rule.effect)) continue;
    if (rule.why !== undefined) addRisk(findings, rule.spellings, rule.why);
    if (rule.effect === "widen") continue;
    if (rule.why !== undefined || rule.effect === "change" || writes || rule.effect === "script") {
      onlyLooks = false;
    }
    if (rule.effect === "list") {
      addFileOfOption(findings, "read", option);
      findings.readsTrees = true;
    }
    if (rule.effect === "read" || writes) addFileOfOption(findings, writes ? "write" : "read", option);
    if (rule.effect === "directory") addFileOfOption(findings, "read", option);
    if (rule.effect === "script" && option.value !== undefined) {
      addScript(findings, option.value.word, option.value.text);
    }
  }
  if (read.untrusted.length > 0) {
    onlyLooks &&= set.anyOption;
    if (set.hasRisk) for (const word of read.untrusted) findings.concerns.push(untrustedWhy(word));
  }
  findings.readOnly = onlyLooks;
  if (row.outward !== undefined) findings.outward = row.outward;
  findings.suggestedWords = row.suggestedWords ?? 1;
  addOperands(row.operands ?? "text", read, findings);
}

function untrustedWhy(word: ShellWord): string {
  return `${word.text} may become an option that writes or runs something`;
}

/** Standard output and the void. */
function isFreeTarget(text: string | undefined, effect: "write" | "output"): boolean {
  return (
    (text === "-" && effect === "output") || text === "/dev/null" || text === "/dev/stdout" || text === "/dev/stderr"
  );
}

const patternOptions = ["-e", "-f", "--regexp", "--file", "--expression", "--files", "--from-file"];

function addOperands(use: OperandUse, read: ReadWords, findings: Findings): void {
  const { operands } = read;
  if (use === "text") return;
  // The words that come out of these may be files too.
  for (const word of read.untrusted) if (isOpen(word) && !operands.includes(word)) addFile(findings, "read", word);
  if (use === "pattern") {
    const files = hasOption(read, ...patternOptions) ? operands : operands.slice(1);
    for (const word of files) addFile(findings, "read", word);
    if (operands[0] !== undefined && !files.includes(operands[0]) && isOpen(operands[0]))
      addFile(findings, "read", operands[0]);
    return;
  }
  if (use === "read" || use === "write") {
    for (const word of operands) addFile(findings, use, word);
    return;
  }
  const target = findOption(read, "-t", "--target-directory");
  const isUnsure = mayBeSeveral(operands);
  operands.forEach((word, index) => {
    const isLast = index === operands.length - 1 && (operands.length > 1 || isUnsure);
    const isWritten = use === "copy" ? target === undefined && isLast : index === 1;
    addFile(findings, isWritten ? "write" : "read", word);
    if (isUnsure && use === "readThenWrite" && !isWritten) addFile(findings, "write", word);
  });
}

/** One of the words may become several, so that no place among them is certain. */
export function mayBeSeveral(words: readonly ShellWord[]): boolean {
  return words.some((word) => word.isSplit && !word.isLiteral && !word.isNumber);
}
