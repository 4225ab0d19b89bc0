/** Finds programs of the project that the search path puts before those of the machine. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

export type ProjectProgramsParts = {
  /** As commands are given it. */
  readonly searchPath: () => string;
  /** Whether an absolute path lies in the workspace, links followed. */
  readonly isInside: (path: string) => boolean;
};

export type ProgramUse = {
  /** Where the command is started. */
  readonly cwd: string;
  /** It is known for what it does by its name, so that a file of the project cannot be meant. */
  readonly isKnown: boolean;
};

/**
 * Undefined where the name means a program of the machine, or one that only the project has, such as a linter: whoever
 * allows that one means it.
 */
export function createProjectPrograms({ searchPath, isInside }: ProjectProgramsParts) {
  return (name: string, { cwd, isKnown }: ProgramUse): string | undefined => {
    if (name === "" || name.includes("/")) return undefined;
    let first: string | undefined;
    for (const entry of searchPath().split(delimiter)) {
      // A relative entry leads into whatever directory the command goes to.
      const path = join(resolve(cwd, entry), name);
      if (!isProgram(path)) continue;
      const isOfProject = isInside(path) || !isAbsolute(entry);
      if (!isOfProject) return first;
      first ??= path;
    }
    return isKnown ? first : undefined;
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
