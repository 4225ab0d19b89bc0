/** Commands that start others in a way that their code finds. */
import { compileOptions } from "../option-set.ts";
import type { Program, Refine } from "../program-call.ts";
import type { RunnerRow } from "../program-row.ts";
import { readOptions } from "../read-options.ts";
import { applyRow } from "./ordinary-program.ts";

/** Reads the own options of a runner; what follows the first operand belongs to another command. */
export function runner(row: RunnerRow, start: Refine): Program {
  const options = compileOptions({ stopsAtOperand: true, ...row });
  return (call, findings) => {
    const read = readOptions(call.words, options);
    applyRow(row, options, { ...read, operands: [] }, findings);
    findings.suggestedWords = 0;
    const before = call.words.slice(0, read.length);
    if (before.some((word) => word.isSplit && !word.isLiteral && !word.isNumber)) {
      findings.inner.push({
        kind: "unknown",
        why: "words before the command are not known, so the command is not either",
      });
    }
    start({ ...call, read }, findings);
  };
}
