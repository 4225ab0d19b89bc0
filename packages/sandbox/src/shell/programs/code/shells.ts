/** Shells and the builtins that run shell code. */
import type { ShellWord } from "../../shell-command.ts";
import {
  addFile,
  addJoinedScript,
  addScript,
  type Findings,
  type ProgramCall,
  type RowProgram,
} from "../program-call.ts";
import { hasOption, readOptions } from "../read-options.ts";
import { applyRow } from "../shapes/ordinary-program.ts";

const shell: RowProgram = (call, findings) => {
  const { row, options } = call.table;
  const read = readOptions(call.words, options);
  applyRow(row, options, { ...read, operands: [] }, findings);
  findings.suggestedWords = 0;
  const [first] = read.operands;
  if (hasOption(read, "-c")) return runGivenCode(first, findings);
  if (hasOption(read, "--version", "--help")) {
    findings.readOnly = true;
    return;
  }
  if (first === undefined || hasOption(read, "-s") || first.text === "-" || first.text === "/dev/stdin") {
    return runInput(call, findings);
  }
  runScriptFile(first, findings);
};

function runGivenCode(code: ShellWord | undefined, findings: Findings): void {
  if (code === undefined) findings.unknown = "the code to run is missing";
  else addScript(findings, code);
}

/** Code from a pipe is seen by nobody before it runs; a here-document is part of the command. */
function runInput(call: ProgramCall, findings: Findings): void {
  const { input } = call.command;
  if (input.kind === "text" && input.text !== undefined) findings.inner.push({ kind: "script", text: input.text });
  else findings.unknown = "it runs code from its input, which is not visible";
}

function runScriptFile(file: ShellWord, findings: Findings): void {
  if (!file.isLiteral) {
    findings.unknown = `the script ${file.text} is only known at run time`;
    return;
  }
  if (file.text.startsWith("/dev/fd/") || file.text.startsWith("/proc/")) {
    findings.unknown = "it runs code that kedge cannot see";
    return;
  }
  addFile(findings, "read", file);
}

const evaluate: RowProgram = ({ words }, findings) => {
  findings.suggestedWords = 0;
  addJoinedScript(findings, words[0]?.text === "--" ? words.slice(1) : words);
};

const trap: RowProgram = ({ words }, findings) => {
  findings.suggestedWords = 0;
  const rest = words[0]?.text === "--" ? words.slice(1) : words;
  const [action] = rest;
  if (action === undefined || /^-[lp]$/.test(action.text)) {
    findings.readOnly = true;
    return;
  }
  if (rest.length > 1 && action.text !== "-") addScript(findings, action);
};

const source: RowProgram = ({ words }, findings) => {
  findings.suggestedWords = 0;
  findings.unknown = "it runs the commands of a file in this shell";
  const file = words[0]?.text === "--" ? words[1] : words[0];
  if (file !== undefined) addFile(findings, "read", file);
};

export const shellCode = { shell, evaluate, trap, source };
