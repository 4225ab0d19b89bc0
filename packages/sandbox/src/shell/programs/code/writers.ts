/** What rows cannot say about programs that remove, move or change files, guarded where that could end a workspace. */
import type { ShellWord } from "../../shell-command.ts";
import {
  addFile,
  addRisk,
  addScript,
  type Findings,
  literalWord,
  type ReadCall,
  type Refine,
  type RowProgram,
} from "../program-call.ts";
import { findOption, hasOption } from "../read-options.ts";
import { isBlockDevice, isVitalPath } from "./guard.ts";

const remove: Refine = (call, findings) => {
  if (hasOption(call.read, "-r", "-R", "--recursive")) guardVital(call, call.read.operands, "remove", findings);
};

const move: Refine = (call, findings) => {
  const { operands } = call.read;
  const moved = hasOption(call.read, "-t", "--target-directory") ? operands : operands.slice(0, -1);
  guardVital(call, moved, "move", findings);
};

/** `chmod` and `chown`: a mode or owner first, unless a reference gives it. */
const changeMode: Refine = (call, findings) => {
  const { operands } = call.read;
  // `chmod -x file` has its mode where others have options.
  const isModeGiven = hasOption(call.read, "--reference") || call.words.some((word) => /^-[rwxXst]+$/.test(word.text));
  const files = isModeGiven ? operands : operands.slice(1);
  for (const word of files) addFile(findings, "write", word);
  if (hasOption(call.read, "-R", "--recursive")) guardVital(call, files, "change", findings);
};

function guardVital(call: ReadCall, words: readonly ShellWord[], verb: string, findings: Findings): void {
  const vital = words.find((word) => isVitalPath(word, call.command.directory, call.place));
  if (vital !== undefined) findings.guard = `it would ${verb} ${vital.text}, with everything in it`;
}

const dd: RowProgram = ({ words }, findings) => {
  for (const word of words) {
    const [key, ...value] = word.text.split("=");
    const path = value.join("=");
    if (key === "of") {
      addFile(findings, "write", word, path);
      if (isBlockDevice(path)) findings.guard = `it would overwrite the device ${path}`;
    }
    if (key === "if") addFile(findings, "read", word, path);
  }
};

/** Formatting and partitioning. */
const diskTool: RowProgram = ({ name, words }, findings) => {
  findings.suggestedWords = 0;
  const onlyLists = words.some((word) => /^(-l|--list|-n|--no-act|print|list|--version|-V|--help)$/.test(word.text));
  if (onlyLists && name !== "mkfs") return;
  findings.guard = `${name} changes a disk`;
};

const split: Refine = ({ read }, findings) => {
  const [source, prefix] = read.operands;
  if (source !== undefined) addFile(findings, "read", source);
  if (prefix !== undefined) addFile(findings, "write", prefix);
};

/** Editors can run anything once they are open; without a terminal only their commands matter. */
const editor: Refine = ({ read, words, name, command }, findings) => {
  for (const word of words) {
    if (/^\+[^\d]/.test(word.text)) addRisk(findings, [word.text], "runs editor commands");
  }
  for (const word of read.operands) if (!word.text.startsWith("+")) addFile(findings, "write", word);
  const commands = findOption(read, "-c", "--cmd", "--command")?.value;
  const shellCode = /^:?!(.+)$/s.exec(commands?.text ?? "")?.[1];
  if (commands !== undefined && shellCode !== undefined) addScript(findings, commands.word, shellCode);
  if (/^(ed|ex|red)$/.test(name) && command.input.kind !== "inherited") {
    findings.concerns.push("the commands of the editor come from its input and may run anything");
  }
};

const patch: Refine = ({ read }, findings) => {
  if (!hasOption(read, "-o", "-d", "--dry-run")) addFile(findings, "write", literalWord("."));
};

/** With these nothing is put in the place of the file. */
const packer: Refine = ({ read }, findings) => {
  const leaves = hasOption(read, "-c", "--stdout", "-l", "--list", "-t", "--test");
  for (const word of read.operands) addFile(findings, leaves ? "read" : "write", word);
};

export const writerCode = { dd, diskTool };

export const writerRefinements = { remove, move, changeMode, split, editor, patch, packer };
