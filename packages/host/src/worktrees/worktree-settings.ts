/** The settings of worktrees. */
import { isJsonObject } from "@kedge/protocol";
import { list, object, said, text } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type WorktreeSettings = {
  /** Folders of the main checkout that every new worktree gets a copy of. */
  readonly dependencies: readonly string[];
  /** Runs the tests of a project when work lands. */
  readonly test?: string;
};

const dependenciesDefault = ["node_modules", ".next"];

export const worktreeSettings: SettingDeclarations = {
  worktree: {
    check: object({
      dependencies: said("Directories to copy into new worktrees; [] copies none.", list(text), dependenciesDefault),
      test: said("Command that runs the tests when branches land; default: kedge suggests one.", text),
    }),
    project: ignored("a project names files to copy in .worktreeinclude"),
    counts: "at start",
  },
};

/** Every value was checked when its file was read. */
export function readWorktreeSettings(value: unknown): WorktreeSettings {
  const { dependencies, test } = isJsonObject(value) ? value : {};
  return {
    dependencies: Array.isArray(dependencies) ? dependencies.map(String) : dependenciesDefault,
    ...(typeof test === "string" && { test }),
  };
}
