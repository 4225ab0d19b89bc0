/** Reads from simple shell commands which files they delete, move or edit in place. */
import { commandSegments } from "./command-words.ts";
import { baseName } from "./path-kinds.ts";

export type Removal = { readonly from: string; readonly to: string | undefined };

export function commandRemovals(command: string): readonly Removal[] {
  return commandSegments(command).flatMap((words): readonly Removal[] => {
    const [program, ...rest] = words[0] === "git" ? words.slice(1) : words;
    const operands = rest.filter((word) => !word.startsWith("-"));
    if (program === "rm" || program === "unlink" || program === "trash") {
      return operands.map((from) => ({ from, to: undefined }));
    }
    if (program !== "mv") return [];
    const target = operands.at(-1) ?? "";
    return operands.slice(0, -1).map((from) => ({ from, to: targetOf(from, target, operands.length) }));
  });
}

export function filesEditedInPlace(command: string): readonly string[] {
  return commandSegments(command).flatMap(([program, ...rest]) => {
    const edits =
      program === "sed" || program === "perl" ? rest.some((word) => /^-\w*i/.test(word)) : program === "tee";
    if (!edits) return [];
    const operands = rest.filter((word) => !word.startsWith("-"));
    // The first one is the script, unless it came behind an option.
    const isScripted = program !== "tee" && !rest.some((word) => /^-\w*e$/.test(word));
    return isScripted ? operands.slice(1) : operands;
  });
}

/** Brings in what others made; nothing in it was done by this run. */
export function takesOthersWork(command: string): boolean {
  return commandSegments(command).some(
    ([program, verb]) =>
      program === "git" &&
      /^(?:checkout|switch|pull|merge|rebase|reset|stash|restore|cherry-pick|revert)$/.test(verb ?? ""),
  );
}

function targetOf(from: string, target: string, operandCount: number): string {
  const isFolder = target.endsWith("/") || operandCount > 2 || !baseName(target).includes(".");
  return isFolder ? `${target.replace(/\/$/, "")}/${baseName(from)}` : target;
}
