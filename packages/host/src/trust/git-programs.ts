/** Finds in a repository's own git configuration what git would run when it only looks: read as text, git is not started. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gitDirectoryOf } from "./tracked-file.ts";

/** By section, its name in quotes left out, and key. Their values are programs, or files with more settings. */
const runningKeys: readonly RegExp[] = [
  /^diff\.(?:external|command|textconv)$/,
  /^filter\.(?:clean|smudge|process)$/,
  /^core\.(?:alternaterefscommand|sshcommand|gitproxy|askpass|editor|pager|attributesfile|worktree)$/,
  /^gpg\.(?:program|defaultkeycommand)$/,
  /^pager\./,
  /^include(?:if)?\.path$/,
  /^merge\.driver$/,
  /^(?:trailer|interactive|credential|uploadpack|remote|protocol)\.(?:cmd|command|difffilter|helper|packobjectshook|vcs|allow)$/,
  /^extensions\.worktreeconfig$/,
];

const configBytesMax = 1024 * 1024;

/** The first such key, or why it cannot be known; undefined when git runs nothing. */
export function gitProgramOf(root: string): string | undefined {
  let text: string;
  try {
    const directory = gitDirectoryOf(root);
    if (directory === undefined) return undefined;
    const path = join(directory, "config");
    const stats = statSync(path, { throwIfNoEntry: false });
    // A linked worktree has no configuration of its own; the one it shares was written by its repository.
    if (stats === undefined) return undefined;
    if (!stats.isFile() || stats.size > configBytesMax) return "a configuration that cannot be read";
    text = readFileSync(path, "utf8");
  } catch {
    return "a configuration that cannot be read";
  }
  return keysIn(text).find(isRunning);
}

/** What watches for changes and hooks are switched off for commands that only look; here is what cannot be. */
function isRunning(name: string): boolean {
  return runningKeys.some((pattern) => pattern.test(name));
}

function keysIn(text: string): readonly string[] {
  const keys: string[] = [];
  let section = "";
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    const heading = /^\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\](.*)$/.exec(line);
    if (heading !== null) section = (heading[1] ?? "").split(".", 1)[0]?.toLowerCase() ?? "";
    // A key may stand on the line of its heading.
    const rest = heading === null ? line : (heading[2] ?? "");
    const entry = /^\s*([A-Za-z][\w-]*)\s*(?:=.*)?$/.exec(rest);
    if (entry !== null && section !== "") keys.push(`${section}.${(entry[1] ?? "").toLowerCase()}`);
  }
  return keys;
}
