/** Where the memory of a project lies, and whether the user wants one there. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../machine/home.ts";
import type { Project } from "../machine/project.ts";
import type { MemorySettings } from "./memory-settings.ts";

export type MemoryPlace =
  /** Without a final separator. */
  | { readonly state: "on"; readonly directory: string }
  | { readonly state: "off"; readonly directory: string; readonly why: string }
  /** A sentence without a full stop. */
  | { readonly state: "refused"; readonly why: string };

export type MemoryPlaceParts = {
  readonly home: Home;
  readonly project: Pick<Project, "projectId">;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly settings: MemorySettings;
};

const variable = "KEDGE_MEMORY_DIR";

/** All worktrees of a repository share it. A place that somebody chose and that will not do is refused, not replaced. */
export async function findMemoryPlace(parts: MemoryPlaceParts): Promise<MemoryPlace> {
  const { home, project, environment, userDirectory, settings } = parts;
  const chosen = environment[variable] || settings.directory;
  let directory = join(home.directory, "projects", project.projectId, "memory");
  if (chosen !== undefined) {
    const { validateDirectory } = await import("@kedge/memory/topics");
    const found = validateDirectory(chosen, { home: userDirectory, kedgeHome: home.directory });
    const name = environment[variable] ? variable : "memory.directory";
    if (!found.ok) return { state: "refused", why: `${name} cannot be used for memory: ${found.why}` };
    directory = found.directory.replace(/\/$/, "");
  }
  if (!settings.enabled) return { state: "off", directory, why: "the setting memory.enabled is false" };
  const isOff = existsSync(offFile(parts));
  return isOff
    ? { state: "off", directory, why: "disabled for this project; turn it on with kedge memory on or /memory on" }
    : { state: "on", directory };
}

/** For this project, until it is turned on again. */
export function turnMemory(parts: Pick<MemoryPlaceParts, "home" | "project">, state: "on" | "off"): void {
  const path = offFile(parts);
  if (state === "on") rmSync(path, { force: true });
  else {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(path, "", { mode: 0o600 });
  }
}

function offFile({ home, project }: Pick<MemoryPlaceParts, "home" | "project">): string {
  return join(home.directory, "projects", project.projectId, "memory-off");
}
