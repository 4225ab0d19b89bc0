/** The instruction files that a project brings where kedge is started, found by name alone. */
import { findProjectInstructions } from "@kedge/memory/instructions";
import type { Project } from "../machine/project.ts";
import type { ProjectInput } from "../trust/project-inputs.ts";

/** Without hashes: those of the root are part of what is trusted, those below it are trusted with the project. */
export function projectInstructions({ cwd, root }: Pick<Project, "cwd" | "root">): readonly ProjectInput[] {
  return findProjectInstructions({ cwd, root }).map((name) => ({ name, kind: "instructions", hash: "" }));
}
