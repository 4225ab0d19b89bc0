/** Interpreters: a script file is run by rule, code given as text or over a pipe is not visible to rules. */
import { compileOptions } from "../option-set.ts";
import { addFile, addRisk, type Program, type Refine } from "../program-call.ts";
import type { InterpreterRow } from "../program-row.ts";
import { findOption, hasOption, readOptions } from "../read-options.ts";
import { applyRow } from "./ordinary-program.ts";

export function interpreter(row: InterpreterRow, refine: Refine | undefined): Program {
  const options = compileOptions({ stopsAtOperand: true, ...row });
  const loading = row.loadsWith === undefined ? undefined : new RegExp(row.loadsWith);
  return (call, findings) => {
    const { words, command } = call;
    const moduleAt = row.takesModule ? words.findIndex((word) => /^-[bBdEiIOPqsSuvx]*m/.test(word.text)) : -1;
    const read = readOptions(moduleAt < 0 ? words : words.slice(0, moduleAt + 2), options);
    applyRow(row, options, { ...read, operands: [] }, findings);
    findings.suggestedWords = 0;
    for (const { text } of words) if (loading?.test(text)) addRisk(findings, [text], "loads other code");
    const [script] = read.operands;
    const tail = words.slice(moduleAt + 2).map((word) => word.text);
    const module = findOption(read, "-m")?.value?.text;
    if (row.takesModule && module !== undefined) findings.otherWords.push([module, ...tail]);
    if (hasOption(read, ...(row.prints ?? [])) && script === undefined) {
      // An option that nobody knows may load a file or write one before anything is printed.
      const isKnown = read.untrusted.length === 0 && read.options.every(({ rule }) => rule !== undefined);
      findings.readOnly = findings.riskyOptions.length === 0 && isKnown;
      return;
    }
    if (hasOption(read, ...(row.codeOptions ?? []))) {
      // `perl -pi -e code file`
      const isInPlace = read.options.some((option) => option.rule?.effect === "change");
      if (isInPlace) for (const word of read.operands) addFile(findings, "write", word);
      return;
    }
    if (script === undefined || script.text === "-" || /^\/(dev\/(stdin|fd\/)|proc\/)/.test(script.text)) {
      if (!row.ignoresInput || command.input.kind !== "inherited")
        findings.unknown = "it runs code from its input, which no rule can see";
      return;
    }
    if (!script.isLiteral) {
      findings.unknown = `the script ${script.text} is only known at run time`;
      return;
    }
    if (!/^[a-z]+:\/\//.test(script.text)) addFile(findings, row.opens ?? "read", script);
    refine?.({ ...call, read }, findings);
  };
}
