/** Tells what one simple command is known to do, from tables of programs and their options. */
import type { LookIntoProgram, ProgramInsight, ShellWord } from "../shell-command.ts";
import { findOtherTexts } from "./other-texts.ts";
import { type Findings, newFindings } from "./program-call.ts";
import { findProgram, programTable } from "./programs.ts";
import { suggestPattern } from "./suggest-pattern.ts";
import { readsUnnamedFiles } from "./unnamed-files.ts";

export const lookIntoProgram: LookIntoProgram = (command, place) => {
  const [first, ...words] = command.words;
  if (first === undefined || !first.isLiteral) return nothingKnown;
  const findings = newFindings();
  const name = findName(first.text);
  const program = findProgram(name);
  program?.({ name, words, command, place }, findings);
  if (readsUnnamedFiles(name, words)) findings.shows ??= "files";
  // A program of the workspace may carry the name of a known one.
  if (!isTrustedPath(first.text)) {
    findings.isTransparent = false;
    findings.readOnly = false;
    delete findings.looksThrough;
  }
  const insight = toInsight(command.words, name, findings);
  return program === undefined && !first.text.includes("/") ? { ...insight, isUnlisted: true } : insight;
};

const nothingKnown: ProgramInsight = {
  inner: [],
  isTransparent: false,
  otherTexts: [],
  riskyOptions: [],
  files: [],
  concerns: [],
  assigned: [],
  arithmetic: [],
  readOnly: false,
};

const trustedDirectories = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin",
]);

function isTrustedPath(text: string): boolean {
  const slash = text.lastIndexOf("/");
  return slash < 0 || trustedDirectories.has(text.slice(0, slash));
}

function findName(text: string): string {
  const base = text.slice(text.lastIndexOf("/") + 1);
  if (programTable.has(base)) return base;
  const lower = base.toLowerCase().replace(/\.exe$/, "");
  if (programTable.has(lower)) return lower;
  // `python3.12`, `gcc-13`, `mkfs.ext4`
  const unversioned = lower.replace(/-?\d+(\.\d+)*$/, "");
  if (programTable.has(unversioned)) return unversioned;
  return lower.startsWith("mkfs.") ? "mkfs" : base;
}

function toInsight(words: readonly ShellWord[], name: string, findings: Findings): ProgramInsight {
  const { shape, otherWords, suggestedWords: _, ...known } = findings;
  const suggestion = suggestPattern(words, findings);
  return {
    ...known,
    otherTexts: findOtherTexts(words, name, { shape, otherWords }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
