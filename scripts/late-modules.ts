/** Which modules the first part of the program does without; `node scripts/find-late-modules.ts` writes the list. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LatePart } from "./part-imports.ts";

export const lateModulesFile = join(import.meta.dirname, "late-modules.json");

export type LateModuleLists = { readonly [part in LatePart]: readonly string[] };

/** By path from the root. What is not named stays where it is imported, so that an old list is slower and never wrong. */
export function readLateModules(): ReadonlyMap<string, LatePart> {
  // Written by ourselves.
  const { extras, work, late } = JSON.parse(readFileSync(lateModulesFile, "utf8")) as LateModuleLists;
  const partOf = (part: LatePart) => (path: string) => [path, part] as const;
  return new Map([...extras.map(partOf("extras")), ...work.map(partOf("work")), ...late.map(partOf("late"))]);
}
