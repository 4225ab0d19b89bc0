/** Steering files: what kedge or another agent will load as instruction, so that a change of it speaks to later sessions. */
import type { RuleSet } from "@kedge/protocol";
import { canonicalPermission } from "../permission/index.ts";
import {
  configFolders,
  namesOfOwnFolders,
  steeringFolders,
  steeringNames,
  steeringNamesAsWritten,
} from "./steering-table.ts";

export type SteeringPlaces = { readonly root: string; readonly home: string };

/** What a person must be told about such a change. */
export const steeringNotice = "this text will instruct later sessions";

/** By the name alone, whatever its case; also true for a folder whose files are all of this kind. */
export function isSteeringFile(path: string, { root, home }: SteeringPlaces): boolean {
  const whole = comparable(path);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  if (steeringNamesAsWritten.has(path.slice(-name.length))) return true;
  // Nearly every path of a workspace ends here, and this is asked before every edit.
  if (!steeringNames.has(name) && !whole.includes("/.")) return false;
  const steps = stepsBelow(whole, [root, home]);
  let isOwned = false;
  for (const [index, step] of steps.entries()) {
    const entries = steeringFolders.get(folderNamed(step, steps[index - 1]));
    if (entries === undefined) continue;
    isOwned = true;
    const next = steps[index + 1];
    // The folder itself, as the target of a copy or a removal, stands for all that is in it.
    if (next === undefined || entries.has(next) || entries.has("*")) return step !== ".github" || next !== undefined;
  }
  return steeringNames.has(name) && (isOwned || !namesOfOwnFolders.has(name));
}

/** Whose word is enough: a file of the project, which strangers may have written, is not. */
const trustedSources: ReadonlySet<RuleSet["source"]> = new Set(["policy", "command-line", "flag", "local", "user"]);

/** True if a rule of the user allows edits of exactly this path, without a wildcard. */
export function isNamedByRule(path: string, rules: readonly RuleSet[], { root, home }: SteeringPlaces): boolean {
  const spellings = new Set([path]);
  if (path.startsWith(`${root}/`)) spellings.add(path.slice(root.length + 1)).add(`./${path.slice(root.length + 1)}`);
  if (path.startsWith(`${home}/`)) spellings.add(`~/${path.slice(home.length + 1)}`);
  return rules.some(
    ({ source, rules: own }) =>
      trustedSources.has(source) &&
      own.some(
        ({ permission, pattern, action }) =>
          action === "allow" && canonicalPermission(permission) === "edit" && spellings.has(pattern),
      ),
  );
}

/** `~/.config/opencode` is the same place as `~/.opencode`. */
function folderNamed(step: string, parent: string | undefined): string {
  return parent === ".config" && configFolders.has(step) ? `.${step}` : step;
}

/** The folders that lead to the workspace do not count: it may itself lie in the folder of an agent. */
function stepsBelow(whole: string, places: readonly string[]): readonly string[] {
  const start = places.map(comparable).find((place) => whole === place || whole.startsWith(`${place}/`));
  return (start === undefined ? whole : whole.slice(start.length)).split("/").filter((step) => step !== "");
}

/** Some file systems do not tell upper from lower case. */
function comparable(path: string): string {
  return path.replaceAll("\\", "/").replace(/\/+$/, "").toLowerCase();
}
