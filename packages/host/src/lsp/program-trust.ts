/** Whose programs may run on the files of a project: what a person said about it decides. */
import { isWorkspaceTrusted, judgeWorkspace, type TrustParts } from "../trust/workspace-trust.ts";

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
  return judgeWorkspace(parts).state === "nothing" ? "machine" : "none";
}
