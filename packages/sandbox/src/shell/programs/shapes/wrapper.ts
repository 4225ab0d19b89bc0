/** Commands that start another command given in their words. */
import type { ShellWord } from "../../shell-command.ts";
import { compileOptions } from "../option-set.ts";
import { addInnerWords, addJoinedScript, type Findings, type Program } from "../program-call.ts";
import type { WrapperRow } from "../program-row.ts";
import { hasOption, mayBecomeOption, readOptions } from "../read-options.ts";
import { applyRow, mayBeSeveral } from "./ordinary-program.ts";

export function wrapper(row: WrapperRow): Program {
  const options = compileOptions({ stopsAtOperand: true, ...row });
  const leading = row.skipsOnly === undefined ? undefined : new RegExp(row.skipsOnly);
  return ({ words }, findings) => {
    const read = readOptions(words, options);
    applyRow(row, options, { ...read, operands: [] }, findings);
    findings.suggestedWords = 0;
    if (row.onlyLooksWith !== undefined && hasOption(read, ...row.onlyLooksWith)) {
      findings.readOnly = true;
      return;
    }
    const { taken, rest } = takeAssignments(read.operands, row.assigns ?? false, findings);
    const skips = leading === undefined || leading.test(rest[0]?.text ?? "") ? (row.skips ?? 0) : 0;
    const skipped = rest.slice(0, skips);
    const inner = rest.slice(skips);
    const isUnsure = [...taken, ...skipped].some(mayBecomeOption) || mayBeSeveral([...taken, ...skipped]);
    if (read.untrusted.length > 0 || isUnsure) {
      findings.inner.push({
        kind: "unknown",
        why: "words before the command are not known, so the command is not either",
      });
      return;
    }
    if (inner.length === 0) return noCommand(row, hasOption(read, ...(row.acts ?? [])), findings);
    const directory = read.options.find((option) => option.rule?.effect === "directory")?.value?.word;
    if (row.joins && !hasOption(read, "-x", "--exec")) addJoinedScript(findings, inner);
    else addInnerWords(findings, inner, directory);
    findings.isTransparent = (row.isTransparent ?? false) && findings.riskyOptions.length === 0;
  };
}

function noCommand(row: WrapperRow, acts: boolean, findings: Findings): void {
  if (row.opensShell) findings.unknown = "it starts a shell whose commands are not visible";
  // `exec` with redirections alone, `time` alone: nothing is started.
  findings.readOnly = row.isTransparent === true && !acts;
}

/** `NAME=value` words, as `env` and `sudo` take them before the command. */
export function takeAssignments(
  words: readonly ShellWord[],
  isAllowed: boolean,
  findings: Findings,
): { readonly taken: readonly ShellWord[]; readonly rest: readonly ShellWord[] } {
  let count = 0;
  while (isAllowed && count < words.length) {
    const word = words[count];
    const parts = word === undefined ? null : /^([A-Za-z_]\w*)=(.*)$/s.exec(word.text);
    if (word === undefined || parts === null) break;
    findings.assigned.push({ name: parts[1] ?? "", value: { ...word, text: parts[2] ?? "" } });
    count += 1;
  }
  return { taken: words.slice(0, count), rest: words.slice(count) };
}
