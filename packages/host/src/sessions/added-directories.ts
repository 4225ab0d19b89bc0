/** Directories beside the project in which the agent may work as if they belonged to it. */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Failure, reasonOf } from "@kedge/protocol";

export type FoundDirectories =
  | { readonly ok: true; readonly directories: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

/** Their true paths, each once. All must be there, because nobody could say later what a missing one became. */
export function findAddedDirectories(given: readonly string[], cwd: string): FoundDirectories {
  const directories = new Set<string>();
  for (const path of given) {
    try {
      const directory = realpathSync(resolve(cwd, path));
      if (!statSync(directory).isDirectory()) return unusable(path, "it is a file");
      directories.add(directory);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      return unusable(path, reasonOf(error));
    }
  }
  return { ok: true, directories: [...directories] };
}

function unusable(path: string, reason: string): FoundDirectories {
  return {
    ok: false,
    failure: {
      code: "configuration",
      message: `Cannot add the directory ${path}: ${reason}.`,
      recovery: "Pass an existing directory.",
      retryable: false,
    },
  };
}
