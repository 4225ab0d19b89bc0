/** Readers that go through whole directories, in which they print what nobody named. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ShellWord } from "../../shell-command.ts";
import type { ReadCall, Refine } from "../program-call.ts";
import { findOption, hasOption } from "../read-options.ts";

const grepTree: Refine = ({ name, read }, findings) => {
  const way = findOption(read, "-d", "--directories")?.value;
  // The value may be shortened.
  const goesThrough = way !== undefined && !/^(?:s|read)/.test(way.text);
  if (name === "rgrep" || goesThrough || hasOption(read, "-r", "-R", "--recursive", "--dereference-recursive"))
    findings.readsTrees = true;
};

const ripgrepTree: Refine = (call, findings) => {
  const { read, command } = call;
  if (hasOption(read, "--files", "--type-list", "--version", "--help")) return;
  const paths = hasOption(read, "-e", "--regexp", "-f", "--file") ? read.operands : read.operands.slice(1);
  const isFed = command.input.kind !== "inherited" && paths.length === 0;
  if (!isFed && (paths.length === 0 || mayBeDirectories(paths, call))) findings.readsTrees = true;
};

const diffTree: Refine = (call, findings) => {
  const { read } = call;
  const named = ["--from-file", "--to-file"].flatMap((name) => findOption(read, name)?.value?.word ?? []);
  if (named.length > 0 || hasOption(read, "-r", "--recursive") || mayBeDirectories(read.operands, call))
    findings.readsTrees = true;
};

function mayBeDirectories(words: readonly ShellWord[], { command: { directory } }: ReadCall): boolean {
  return words.some(({ text, isLiteral }) => !isLiteral || directory === undefined || isDirectory(directory, text));
}

function isDirectory(from: string, path: string): boolean {
  try {
    return statSync(resolve(from, path), { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A file stands above it, or nobody may look there.
    return false;
  }
}

export const treeRefinements = { grepTree, ripgrepTree, diffTree };
