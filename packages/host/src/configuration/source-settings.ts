/** The setting that switches off sources: other agents' folders that kedge reads as well, and vendors of models. */
import { isAbsolute, resolve, sep } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { checkWith, list, object, problem, said, text } from "./checks.ts";
import type { SettingDeclarations } from "./setting-declaration.ts";

const entryFields = object({
  path: said("Directory the entry applies to, including subdirectories.", text),
  providers: said("Ids of sources and providers.", list(text)),
});

const entry = checkWith(
  () => ({ anyOf: [{ type: "string" }, { ...entryFields.schema(), required: ["path", "providers"] }] }),
  (value, path) => {
    if (typeof value === "string") return [];
    const isWhole = isJsonObject(value) && typeof value["path"] === "string" && Array.isArray(value["providers"]);
    return isWhole ? entryFields(value, path) : [problem(path, "an id, or an object with path and providers", value)];
  },
);

export const sourceSettings: SettingDeclarations = {
  disabledProviders: {
    check: said("Sources (claude, opencode) and providers to disable.", list(entry), []),
    project: { kind: "tightens", rule: "may only add", tighten: onlyAdded },
    counts: "at start",
    arrays: "united",
  },
};

function onlyAdded(value: unknown): { kept: unknown; ignored?: string } {
  return Array.isArray(value) ? { kept: value } : { kept: undefined, ignored: "a project may only disable more" };
}

/** Every value was checked when its file was read. */
export function readDisabledProviders(
  { disabledProviders: value, compat }: { readonly disabledProviders?: unknown; readonly compat?: unknown },
  { cwd, userDirectory }: { readonly cwd: string; readonly userDirectory: string },
): readonly string[] {
  const entries = (value ?? []) as readonly (
    | string
    | { readonly path: string; readonly providers: readonly string[] }
  )[];
  const counts = (path: string) => {
    const expanded = path === "~" || path.startsWith("~/") ? resolve(userDirectory, path.slice(2)) : path;
    return isAbsolute(expanded) && (cwd === expanded || cwd.startsWith(expanded.replace(/\/*$/, sep)));
  };
  const ids = entries.flatMap((each) => (typeof each === "string" ? [each] : counts(each.path) ? each.providers : []));
  const sources = isJsonObject(compat) && Array.isArray(compat["disable"]) ? compat["disable"].map(String) : [];
  return [...new Set([...ids, ...sources])];
}
