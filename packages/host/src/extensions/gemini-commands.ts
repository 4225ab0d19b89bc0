/** Commands of Gemini CLI, which are TOML files with placeholders of their own, read as commands of kedge. */
import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Definition,
  type DefinitionPlace,
  makeDefinition,
  type RefusedDefinition,
  readDefinitionFile,
  type Tier,
} from "@kedge/extend/definitions";
import { convertPrompt } from "../import/definitions/gemini-command.ts";
import { readToml } from "../import/toml/read-toml.ts";
import type { ExtensionPlaces } from "./extension-places.ts";

export type GeminiCommands = {
  readonly found: readonly Definition[];
  readonly refused: readonly RefusedDefinition[];
};

const filesMax = 1_000;
const depthMax = 4;

/** Those of the project first, which count where it is trusted. */
export function geminiCommands(places: ExtensionPlaces, isTrusted: () => boolean): GeminiCommands {
  const found: Definition[] = [];
  const refused: RefusedDefinition[] = [];
  if (places.disabled.includes("gemini")) return { found, refused };
  const { root, userDirectory } = places;
  const take = (folder: string, tier: Tier, within: string | undefined) => {
    const place: DefinitionPlace = { source: "gemini", tier, folder };
    for (const file of tomlFiles(folder)) {
      const read = readGeminiCommand(join(folder, file), { place, name: nameOf(file), within });
      if ("problem" in read) refused.push({ kind: "command", file: join(folder, file), place, ...read.problem });
      else found.push(read.definition);
    }
  };
  const ofProject = join(root, ".gemini", "commands");
  if (root !== userDirectory && tomlFiles(ofProject).length > 0 && isTrusted()) take(ofProject, "project", root);
  take(join(userDirectory, ".gemini", "commands"), "user", undefined);
  return { found, refused };
}

export type ReadGeminiCommand =
  | { readonly definition: Definition }
  | { readonly problem: { readonly line: number; readonly why: string; readonly remedy: string } };

type Named = { readonly place: DefinitionPlace; readonly name: string; readonly within: string | undefined };

function readGeminiCommand(path: string, { place, name, within }: Named): ReadGeminiCommand {
  const read = readDefinitionFile(path, within);
  if (!read.ok) {
    const { why, remedy } = read.isMissing ? { why: "a broken link", remedy: "Remove it." } : read;
    return { problem: { line: 1, why, remedy } };
  }
  const toml = readToml(read.text.replace(/^\ufeff/, ""));
  if (!toml.ok) return { problem: { line: toml.line, why: `invalid TOML: ${toml.why}`, remedy: "Fix the line." } };
  const { prompt, description } = toml.table;
  if (typeof prompt !== "string" || prompt.trim() === "")
    return { problem: { line: 1, why: "it has no prompt", remedy: 'Add prompt = "…".' } };
  const converted = convertPrompt(prompt);
  if (!converted.ok)
    return { problem: { line: 1, why: `it ${converted.why}`, remedy: "Write it as a Markdown command." } };
  const made = makeDefinition({
    ...({ kind: "command", place, file: path, directory: dirname(path), nameOfFile: name } as const),
    text: converted.text,
    fields: new Map(typeof description === "string" ? [["description", description]] : []),
  });
  return made.ok ? made : { problem: { line: 1, why: made.why, remedy: made.remedy } };
}

/** `git/fix.toml` is `git:fix`, as it is there. */
function nameOf(file: string): string {
  return file.slice(0, -".toml".length).replaceAll("/", ":");
}

/** Relative to the folder, in a fixed order. */
function tomlFiles(folder: string, below = "", depth = 0): readonly string[] {
  const entries = entriesOf(join(folder, below)).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const files = entries.flatMap((entry): readonly string[] => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return depth < depthMax ? tomlFiles(folder, path, depth + 1) : [];
    return entry.name.endsWith(".toml") ? [path] : [];
  });
  return files.slice(0, filesMax);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that cannot be read holds nothing.
    return [];
  }
}
