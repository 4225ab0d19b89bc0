/** Shells and the builtins that run shell code. */
import type { ShellWord } from "../shell-command.ts";
import { compileOptions, lazily, type OptionTable } from "./option-set.ts";
import { applyRow } from "./ordinary-program.ts";
import {
  addFile,
  addJoinedScript,
  addScript,
  type Findings,
  type Program,
  type ProgramCall,
  type Programs,
} from "./program-call.ts";
import { hasOption, readOptions } from "./read-options.ts";

const shellOptions: OptionTable = {
  plain:
    "-a -b -c -e -f -h -k -m -n -p -r -t -u -v -x -B -C -E -H -P -T -i -l/--login -s -D -o: +o: -O: +O: +x +e +u +v --noediting --noprofile --norc --posix --restricted --verbose --version --help --debugger --dump-strings",
  special: [["--rcfile/--init-file/-rcfile/-init-file:", "read", "loads another start-up file"]],
  stopsAtOperand: true,
};

const shell = (): Program => {
  const options = lazily(() => compileOptions(shellOptions));
  return (call, findings) => {
    const read = readOptions(call.words, options());
    applyRow(shellOptions, options(), { ...read, operands: [] }, findings);
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
};

function runGivenCode(code: ShellWord | undefined, findings: Findings): void {
  if (code === undefined) findings.unknown = "the code to run is missing";
  else addScript(findings, code);
}

/** Code from a pipe is seen by nobody before it runs; a here-document is part of the command. */
export function runInput(call: ProgramCall, findings: Findings): void {
  const { input } = call.command;
  if (input.kind === "text" && input.text !== undefined) findings.inner.push({ kind: "script", text: input.text });
  else findings.unknown = "it runs code from its input, which is not visible";
}

function runScriptFile(file: ShellWord, findings: Findings): void {
  if (!file.isLiteral) {
    findings.unknown = `the script ${file.text} is not known before it runs`;
    return;
  }
  if (file.text.startsWith("/dev/fd/") || file.text.startsWith("/proc/")) {
    findings.unknown = "it runs code that is not visible";
    return;
  }
  addFile(findings, "read", file);
}

const evaluate: Program = ({ words }, findings) => {
  findings.suggestedWords = 0;
  addJoinedScript(findings, words[0]?.text === "--" ? words.slice(1) : words);
};

const trap: Program = ({ words }, findings) => {
  findings.suggestedWords = 0;
  const rest = words[0]?.text === "--" ? words.slice(1) : words;
  const [action] = rest;
  if (action === undefined || /^-[lp]$/.test(action.text)) {
    findings.readOnly = true;
    return;
  }
  if (rest.length > 1 && action.text !== "-") addScript(findings, action);
};

const source: Program = ({ words }, findings) => {
  findings.suggestedWords = 0;
  findings.unknown = "it runs the commands of a file in this shell";
  const file = words[0]?.text === "--" ? words[1] : words[0];
  if (file !== undefined) addFile(findings, "read", file);
};

const shellNames = [
  "bash",
  "sh",
  "zsh",
  "dash",
  "ksh",
  "mksh",
  "ash",
  "rbash",
  "yash",
  "fish",
  "csh",
  "tcsh",
  "elvish",
  "nu",
  "pwsh",
  "powershell",
  "xonsh",
  "oksh",
  "ksh93",
  "posh",
];

export const shells: Programs = new Map<string, Program>([
  ...shellNames.map((name) => [name, shell()] as const),
  ["eval", evaluate],
  ["trap", trap],
  ["source", source],
  [".", source],
]);
