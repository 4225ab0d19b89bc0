/** Knows the files of a git repository without a `.git` around it: whoever runs git beside them runs what they say. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** By these three git knows a repository. */
const marks = ["head", "objects", "refs"] as const;
const onDisk = { head: "HEAD", objects: "objects", refs: "refs" } as const;
const parts: ReadonlySet<string> = new Set([...marks, "config", "config.worktree", "hooks", "info", "commondir"]);

/** Whether a file written there would be part of such a repository, or complete one. */
export function isRepositoryPart(path: string): boolean {
  if (!isAbsolute(path)) return false;
  const steps = path.split("/");
  return steps.some((step, index) => {
    const part = step.toLowerCase();
    if (!parts.has(part)) return false;
    const directory = steps.slice(0, index).join("/") || "/";
    return marks.every((mark) => mark === part || existsSync(join(directory, onDisk[mark])));
  });
}
