/** Moves sections of an instruction file that serve one part of a project into rules for it: shown as a diff, done by the user. */
import { existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ruleTextOf, type SplitSection, sectionsForOnePlace } from "@kedge/memory/instructions";
import { replaceFile } from "../machine/replace-file.ts";

export type SplitProposal =
  | { readonly ok: true; readonly diff: string; readonly files: readonly string[]; readonly apply: () => void }
  | { readonly ok: false; readonly sentence: string };

const bytesMax = 1024 * 1024;

/** `path` is absolute. Nothing is written before `apply`, which refuses if a file changed since. */
export function proposeSplit(path: string): SplitProposal {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { ok: false, sentence: `${path} does not exist` };
  if (!stats.isFile() || stats.size > bytesMax) return { ok: false, sentence: `${path} is not a text file` };
  const directory = directoryOf(path);
  const text = readFileSync(path, "utf8");
  const sections = sectionsForOnePlace(text, directory);
  if (sections.length === 0)
    return { ok: false, sentence: `No section of ${path} is about one directory or one kind of file` };
  const folder = join(directory, ".kedge/rules");
  const taken = new Set<string>();
  const rules = sections.map((section) => ({ path: freePath(folder, section, taken), text: ruleTextOf(section) }));
  const after = sections.reduce((rest, section) => rest.replace(section.text, () => ""), text);
  return {
    ok: true,
    diff: [removalDiff(path, sections), ...rules.map(newFileDiff)].join("\n"),
    files: rules.map((rule) => rule.path),
    apply() {
      if (readFileSync(path, "utf8") !== text) throw new Error(`${path} changed in the meantime.`);
      mkdirSync(folder, { recursive: true });
      // The rules first: a text that stands twice is better than one that is lost.
      for (const rule of rules) replaceFile(rule.path, rule.text, { mode: 0o644 });
      replaceFile(path, after, { mode: stats.mode & 0o777 });
    },
  };
}

/** A file in the folder of an agent counts for the directory that holds the folder. */
function directoryOf(path: string): string {
  const directory = dirname(path);
  return basename(directory).startsWith(".") ? dirname(directory) : directory;
}

function freePath(folder: string, { title }: SplitSection, taken: Set<string>): string {
  const slug =
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "rule";
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? `${slug}.md` : `${slug}-${number}.md`);
    if (taken.has(path) || existsSync(path)) continue;
    taken.add(path);
    return path;
  }
}

function removalDiff(path: string, sections: readonly SplitSection[]): string {
  let removed = 0;
  const hunks = sections.map(({ line, text }) => {
    const lines = text.trimEnd().split("\n");
    const count = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    const head = `@@ -${line},${count} +${line - 1 - removed},0 @@`;
    removed += count;
    return [head, ...lines.map((each) => `-${each}`)].join("\n");
  });
  return [`--- ${path}`, `+++ ${path}`, ...hunks].join("\n");
}

function newFileDiff({ path, text }: { readonly path: string; readonly text: string }): string {
  const lines = text.trimEnd().split("\n");
  return ["--- /dev/null", `+++ ${path}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join(
    "\n",
  );
}
