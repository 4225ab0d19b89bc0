/** The setting `instructions.shadowing: per-depth`: of several files for one directory only the strongest source counts. */
import { type InstructionEntry, sourcePriorities } from "./instruction-entry.ts";
import { absent, relativeTo } from "./load-instructions.ts";

/** Rules, local and managed files, and files that others include or name, have no rival. */
export function shadowEntries(entries: readonly InstructionEntry[], root: string): readonly InstructionEntry[] {
  const winners = new Map<string, InstructionEntry>();
  let nearestNative: InstructionEntry | undefined;
  for (const entry of entries) {
    if (!isRival(entry)) continue;
    const best = winners.get(placeOf(entry));
    if (best === undefined || sourcePriorities[entry.source] >= sourcePriorities[best.source])
      winners.set(placeOf(entry), entry);
    if (entry.tier === "project" && entry.source === "native") nearestNative = entry;
  }
  return entries.map((entry) => {
    if (!isRival(entry)) return entry;
    const isFarNative = entry.tier === "project" && entry.source === "native" && nearestNative !== undefined;
    const winner = isFarNative ? nearestNative : winners.get(placeOf(entry));
    return winner === undefined || winner === entry
      ? entry
      : absent(entry, `shadowed by ${relativeTo(winner.path, root)}`);
  });
}

function isRival({ form, tier, status, includedBy, namedBy }: InstructionEntry): boolean {
  const isFound = form === "file" && includedBy === undefined && namedBy === undefined;
  return isFound && status === "loaded" && (tier === "user" || tier === "project");
}

/** All files of the user are for one place. */
function placeOf({ tier, directory }: InstructionEntry): string {
  return tier === "user" ? "" : directory;
}
