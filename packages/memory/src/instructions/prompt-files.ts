/** The files that replace or extend kedge's own prompts: SYSTEM.md, APPEND_SYSTEM.md and TITLE_SYSTEM.md. */
import { join } from "node:path";
import { refuseDisabled, walkOf } from "./discover.ts";
import type { InstructionCandidate, InstructionEntry } from "./instruction-entry.ts";
import type { InstructionParts } from "./instruction-parts.ts";
import { ompFolderDefault, type promptNames } from "./instruction-places.ts";
import { absent, loadInstructions } from "./load-instructions.ts";
import { exists } from "./read-file.ts";

export type PromptFileName = (typeof promptNames)[number];

/** The nearest of the project that says something, otherwise the user's. */
export function promptFile(name: PromptFileName, parts: InstructionParts): string | undefined {
  return promptEntries(name, parts).find(({ status }) => status === "loaded")?.text;
}

/** Every file of this name, from general to specific; the one that counts is the only one that is loaded. */
export function promptEntries(name: PromptFileName, parts: InstructionParts): readonly InstructionEntry[] {
  const candidates = candidatesFor(name, parts);
  if (candidates.length === 0) return [];
  const { root, home } = parts.places;
  const paths = new Set(candidates.map(({ path }) => path));
  const entries = loadInstructions(candidates, { ...parts, root, home }).filter(({ path }) => paths.has(path));
  const nearest = entries.findLast(({ status }) => status === "loaded");
  return entries.map((entry) =>
    entry.status === "loaded" && entry !== nearest ? absent(entry, `overridden by a nearer ${name}`) : entry,
  );
}

function candidatesFor(name: PromptFileName, { places, settings }: InstructionParts): readonly InstructionCandidate[] {
  const { home, kedgeHome, ompFolder = ompFolderDefault } = places;
  const own = { path: join(kedgeHome, name), tier: "user", source: "native", directory: home } as const;
  const ofOmp = { path: join(home, ompFolder, name), tier: "user", source: "omp", directory: home } as const;
  const ofProject = walkOf(places, settings).flatMap((directory) => [
    { path: join(directory, ".omp", name), tier: "project", source: "omp", directory } as const,
    { path: join(directory, ".kedge", name), tier: "project", source: "native", directory } as const,
  ]);
  return [...(settings.compat ? [ofOmp] : []), own, ...ofProject]
    .filter(({ path }) => exists(path))
    .map((file) => refuseDisabled({ ...file, form: "file" }, settings));
}
