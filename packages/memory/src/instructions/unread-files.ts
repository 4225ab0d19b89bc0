/** Files that look like instructions and that kedge does not read: named for whoever wonders, with what to do about it. */
import { join } from "node:path";
import { entriesIn } from "./directories-below.ts";
import type { InstructionCandidate } from "./instruction-entry.ts";
import { localFiles, plainFiles } from "./instruction-places.ts";

/** Of agents whose files are no instructions of kedge, and older names. */
const foreign: readonly string[] = [".cursorrules", ".cursor/rules", ".windsurfrules", ".clinerules", "AGENT.md"];

const known = new Map([...plainFiles, ...localFiles].map((row) => [row.path.toLowerCase(), row]));

/** In these directories, which are those of the walk. */
export function unreadFiles(levels: readonly string[]): readonly InstructionCandidate[] {
  return levels.flatMap((directory) => {
    const names = (entriesIn(directory) ?? []).map(({ name }) => name);
    const present = new Set(names);
    const add = (path: string, why: string) => ({
      ...({ path: join(directory, path), tier: "project", source: "agents-md", directory, form: "file" } as const),
      refused: why,
    });
    const misspelt = names.flatMap((name) => {
      const row = known.get(name.toLowerCase());
      // Where case does not count, the file is found by its right name, too.
      if (row === undefined || row.path === name || present.has(row.path)) return [];
      return [add(name, `not read by this name: rename it to ${row.path}`)];
    });
    const ofOthers = foreign
      .filter((path) => present.has(path.split("/", 1)[0] ?? path))
      .filter((path) => !path.includes("/") || entriesIn(join(directory, path)) !== undefined)
      .map((path) => add(path, "not read by kedge: run /init to add it to AGENTS.md"));
    return [...misspelt, ...ofOthers];
  });
}
