/** Marks of the project's scripts that hooks run: what an agent changed meanwhile does not run before the user saw it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hook } from "@kedge/extend/hooks";
import { scriptsIn } from "../trust/hook-scripts.ts";

export type ScriptMarks = {
  /** The script of a hook that is no longer as it was when the hooks were captured. */
  changed(hook: Hook): string | undefined;
};

export function markScripts(hooks: readonly Hook[], root: string): ScriptMarks {
  const marks = new Map<string, string>();
  const known = new Map<string, boolean>();
  const byHook = new Map(
    hooks.map(({ name, action }) => {
      const text = action.type === "command" ? [action.command, ...(action.args ?? [])].join(" ") : "";
      const scripts = scriptsIn(text, root, known);
      for (const script of scripts) if (!marks.has(script)) marks.set(script, digestOf(join(root, script)));
      return [name, scripts];
    }),
  );
  return {
    changed: ({ name }) => byHook.get(name)?.find((script) => marks.get(script) !== digestOf(join(root, script))),
  };
}

/** What cannot be read is as good as gone. */
function digestOf(path: string): string {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return "";
  }
}
