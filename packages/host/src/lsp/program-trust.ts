/** Whose programs may run on the files of a project: what a person said about it decides. */
import { FailureError } from "@kedge/protocol";
import { isTooWide, isWorkspaceTrusted, judgeWorkspace, type TrustParts } from "../trust/workspace-trust.ts";

/**
 * - `project`: trusted, so that its own programs and those that run its code may start.
 * - `machine`: it brings nothing that a person would be asked about; programs of the machine that only read it may start.
 * - `none`: it brings what nobody trusted.
 */
export type ProgramTrust = "project" | "machine" | "none";

/** Asked once: what is trusted does not change under a running process. */
export function createProgramTrust(parts: TrustParts): () => ProgramTrust {
  let known: ProgramTrust | undefined;
  return () => {
    known ??= judge(parts);
    return known;
  };
}

function judge(parts: TrustParts): ProgramTrust {
  if (isWorkspaceTrusted(parts)) return "project";
  // The user's own files lie there, and what strangers put below them is not looked through.
  if (isTooWide(parts.root, parts.userDirectory)) return "machine";
  try {
    return judgeWorkspace(parts).state === "nothing" ? "machine" : "none";
  } catch (error) {
    // Answers that cannot be read trust nobody.
    if (error instanceof FailureError) return "none";
    throw error;
  }
}
