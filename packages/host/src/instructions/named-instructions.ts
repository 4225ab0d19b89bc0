/** Reads which instruction files the settings of another agent name: the list `instructions` of opencode.json. */
import type { NamedFiles } from "@kedge/memory/instructions";

export type NamedRead = { readonly named?: NamedFiles; readonly warnings: readonly string[] };

/** One entry that cannot be used leaves the others as they are: the file was written for another program. */
export function readNamedInstructions(value: unknown, of: Omit<NamedFiles, "patterns">): NamedRead {
  if (value === undefined) return { warnings: [] };
  if (!Array.isArray(value)) return { warnings: [`${of.file}: instructions is ignored: expected a list of paths`] };
  const patterns = value.filter((entry): entry is string => typeof entry === "string" && isPath(entry));
  const warnings = value.flatMap((entry, index) =>
    patterns.includes(entry) ? [] : [`${of.file}: instructions[${index}] is ignored: not a path`],
  );
  return { ...(patterns.length > 0 && { named: { ...of, patterns } }), warnings };
}

function isPath(text: string): boolean {
  return text.trim() !== "" && text.length <= 1_024 && !text.includes("\0");
}
