/** Takes over the Markdown files of another agent: commands, skills, agents, output styles and rules, as they are. */
import { join } from "node:path";
import { presenceOf } from "../../configuration/setting-file.ts";
import type { Findings } from "../findings.ts";
import { type ForeignFolder, filesBelow, holdsSecret, originOf, readBytes, textOf } from "../foreign-folder.ts";
import { noteSecret } from "../note-settings.ts";

export type CopiedFolder = {
  /** Below the agent's folder. */
  readonly name: string;
  /** Below kedge's. */
  readonly target: string;
  /** Other files are left, with a note; all are copied without it. */
  readonly pattern?: RegExp;
};

/** Of all files together: they are held in memory until somebody agrees. */
const bytesMax = 64 * 1024 * 1024;

export const markdown = /\.mdc?$/i;

export function copyFolder({ name, target, pattern }: CopiedFolder, folder: ForeignFolder, findings: Findings): void {
  for (const file of filesBelow(name, folder)) {
    const parts = file.name.split("/");
    // Hidden files are an editor's, a file system's or a secret's.
    if (parts.some((part) => part.startsWith("."))) continue;
    if (pattern !== undefined && !pattern.test(file.name)) {
      const why = "is not a Markdown file, so kedge would not read it";
      findings.notes.push({ ...originOf(file.path, folder), kind: "unsupported", why });
    } else copyFile(file.path, `${target}/${file.name}`, folder, findings);
  }
}

/** Nothing happens where no such file. */
export function copyIfThere(name: string, target: string, folder: ForeignFolder, findings: Findings): void {
  const path = join(folder.path, name);
  if (presenceOf(path) === "there") copyFile(path, target, folder, findings);
}

function copyFile(path: string, target: string, folder: ForeignFolder, findings: Findings): void {
  const from = originOf(path, folder);
  if (/\p{Cc}/u.test(target)) {
    findings.notes.push({ ...from, kind: "broken", why: "has control characters in its name" });
    return;
  }
  const read = readBytes(path, folder, findings);
  if (read === undefined) return;
  const text = textOf(read.bytes);
  if (text !== undefined && holdsSecret(text, folder)) {
    noteSecret(findings, { ...from, key: "a key or token in the text" });
    return;
  }
  const bytes = findings.files.reduce((sum, file) => sum + file.bytes.length, read.bytes.length);
  if (bytes > bytesMax)
    findings.notes.push({ ...from, kind: "broken", why: "is skipped: the files exceed 64 MB in total" });
  else findings.files.push({ target, ...read, from });
}

const relativeInclude = /(?:^|\s)@(?!~\/|\/)[\w.-]+\//m;

/** A text of instructions becomes a rule that counts everywhere. What it includes lies beside it, so then it stays. */
export function copyInstructions(name: string, target: string, folder: ForeignFolder, findings: Findings): void {
  const path = join(folder.path, name);
  if (presenceOf(path) === "absent") return;
  const read = readBytes(path, folder, findings);
  if (read === undefined || read.bytes.length === 0) return;
  const from = originOf(path, folder);
  const text = textOf(read.bytes) ?? "";
  if (relativeInclude.test(text)) {
    const why = "includes other files; kedge reads it in place";
    findings.notes.push({ ...from, kind: "stays", why });
  } else copyFile(path, target, folder, findings);
}
