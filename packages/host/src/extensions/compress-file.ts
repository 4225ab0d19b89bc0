/** Makes an instruction file shorter in two steps: the model proposes a text, and only one that lost nothing exact is taken. */
import {
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import type { LocalAnswer } from "@kedge/engine";
import { compareCompressed } from "@kedge/extend/styles";
import { reasonOf } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";

const request = textBeside(import.meta.url, "./compress-prompt.md");
const charactersPerToken = 4;
const bytesMax = 256 * 1024;

type Named = { readonly file: string; readonly proposal: string; readonly original: string };

/** `README.md` → `README.brief.md`, `README.original.md`. */
function namesOf(given: string, directory: string): Named | string {
  if (given === "") return "Name a Markdown file.";
  const file = resolve(directory, given);
  if (!/\.md$/i.test(file) || /\.(?:original|brief)\.md$/i.test(file))
    return `${given} is not a Markdown file to shorten.`;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > bytesMax) return `${given} is missing, not a file, or too large.`;
  const stem = file.slice(0, -".md".length);
  return { file, proposal: `${stem}.brief.md`, original: `${stem}.original.md` };
}

export function compressPrompt(given: string, directory: string): LocalAnswer {
  const names = namesOf(given, directory);
  if (typeof names === "string") return { text: names };
  return { prompt: fillSlots(request, { file: names.file, proposal: names.proposal, given }) };
}

export function applyCompressed(given: string, directory: string): string {
  const names = namesOf(given, directory);
  if (typeof names === "string") return names;
  const { file, proposal, original } = names;
  if (!existsSync(proposal)) return `${proposal} not found. Run /brief compress ${given} first.`;
  try {
    const [before, after] = [readFileSync(file, "utf8"), readFileSync(proposal, "utf8")];
    const losses = compareCompressed(before, after);
    if (losses.length > 0) {
      const told = losses.map(({ kind, missing, added }) => lossText(kind, missing, added));
      return [`Not applied: ${given} is unchanged. The shorter text differs in more than prose.`, ...told].join("\n");
    }
    // Never over a backup that is there.
    copyFileSync(file, original, constants.COPYFILE_EXCL);
    const pending = `${file}.new`;
    writeFileSync(pending, after, { flag: "wx" });
    renameSync(pending, file);
    rmSync(proposal);
    const saved = Math.round((before.length - after.length) / charactersPerToken);
    return `Applied. ${given} is about ${saved.toLocaleString("en")} tokens shorter. Restore ${original} with /brief restore ${given}.`;
  } catch (error) {
    return `Not applied: ${reasonOf(error)}. ${given} is unchanged.`;
  }
}

export function restoreOriginal(given: string, directory: string): string {
  const names = namesOf(given, directory);
  if (typeof names === "string") return names;
  if (!existsSync(names.original)) return `${names.original} not found.`;
  renameSync(names.original, names.file);
  return `Restored ${given}.`;
}

const shownMax = 5;

function lossText(kind: string, missing: readonly string[], added: readonly string[]): string {
  const some = (things: readonly string[]) =>
    things.slice(0, shownMax).join(" | ") + (things.length > shownMax ? " | …" : "");
  return [
    ...(missing.length === 0 ? [] : [`  ${kind} missing: ${some(missing)}`]),
    ...(added.length === 0 ? [] : [`  ${kind} added: ${some(added)}`]),
  ].join("\n");
}
