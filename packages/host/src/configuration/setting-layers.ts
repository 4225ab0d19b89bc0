/** Where settings come from: the files of this user and this project, weakest first, and the rights each has. */
import { isAbsolute, join, resolve, sep } from "node:path";
import type { RuleSource } from "@kedge/protocol";
import { isTracked } from "../trust/tracked-file.ts";
import type { ManagedPlace } from "./managed-policy.ts";
import { realPathIfThere } from "./real-path-if-there.ts";
import { findSettingFile, settingFormats } from "./setting-file.ts";

export type ConfigurationSources = {
  /** kedge's own directory. */
  readonly home: string;
  readonly userDirectory: string;
  readonly cwd: string;
  readonly projectRoot: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Files given on the command line, weakest first. */
  readonly files: readonly string[];
  /** What a project brings counts only then, but for what it asks about and denies. */
  readonly isTrusted: boolean;
  /** The project brings what nobody trusted, so that no hook runs, whoever it belongs to. */
  readonly isHeldBack?: boolean;
  /** Where the managed policy lies; in its one place without this. */
  readonly managed?: ManagedPlace;
};

export type Layer = {
  readonly path: string;
  readonly source: RuleSource;
  /** How the file is called in sentences. */
  readonly name: string;
  /** Why it cannot be used, found before it was read. */
  readonly problem?: string;
};

/** All but the managed policy, which comes after them. */
export function findLayers(sources: ConfigurationSources): readonly Layer[] {
  const { home, projectRoot, cwd, environment, files } = sources;
  const layers: Layer[] = [];
  const addExisting = (stem: string, source: RuleSource | (() => RuleSource)) => {
    const found = findSettingFile(stem);
    if (found.kind === "none") return;
    const path = found.kind === "one" ? found.path : (found.paths[0] ?? stem);
    // A repository in the user's own directory would otherwise make the user's file a project's file as well.
    if (layers.some((layer) => layer.path === path)) return;
    const of = typeof source === "function" ? source() : source;
    const name = shownPath(path, sources);
    const whereabouts = of === "user" ? "inside" : whereIs(path, projectRoot);
    if (whereabouts === "outside") layers.push({ path, source: of, name, problem: leadsOut(name) });
    else if (whereabouts === "nowhere") layers.push({ path, source: of, name, problem: leadsNowhere(name) });
    else if (found.kind === "one") layers.push({ path, source: of, name });
    else layers.push({ path, source: of, name, problem: severalFormats(found.paths, sources) });
  };
  addExisting(join(home, "config"), "user");
  addExisting(join(projectRoot, "kedge"), "project");
  addExisting(join(projectRoot, ".kedge", "config"), "project");
  const local = ".kedge/config.local";
  // What came with the repository is the project's, whatever its name.
  const isOwn = () => settingFormats.every((format) => !isTracked(projectRoot, `${local}.${format}`));
  addExisting(join(projectRoot, local), () => (isOwn() ? "local" : "project"));
  const fromEnvironment = environment["KEDGE_CONFIG"];
  for (const file of fromEnvironment ? [fromEnvironment, ...files] : files) {
    const path = resolve(cwd, file);
    layers.push({ path, source: "flag", name: shownPath(path, sources) });
  }
  return layers;
}

function severalFormats(paths: readonly string[], sources: ConfigurationSources): string {
  const names = paths.map((path) => shownPath(path, sources));
  return `${names.join(" and ")} exist in several formats; keep one of them`;
}

/** What lies there is nobody's word about this project, and what it was meant to deny is not known. */
export function leadsOut(name: string): string {
  return `${name} is a link to a file outside the project`;
}

export function leadsNowhere(name: string): string {
  return `${name} cannot be read (missing, not accessible, or a broken link)`;
}

/** Links are followed. What was seen a moment ago may be gone by now. */
export function whereIs(path: string, root: string): "inside" | "outside" | "nowhere" {
  const [real, realRoot] = [realPathIfThere(path), realPathIfThere(root)];
  if (real === undefined || realRoot === undefined) return "nowhere";
  return real.startsWith(realRoot + sep) ? "inside" : "outside";
}

/** Files in the project's directory have a project's rights: an archive may have brought what git does not know. */
export function isProject({ source }: Pick<Layer, "source">): boolean {
  return source === "project" || source === "local";
}

/** Neither strangers nor the user's own variables shall decide what such a file says. */
export function mayBeFilled(layer: Pick<Layer, "source">): boolean {
  return !isProject(layer) && layer.source !== "policy";
}

export function shownPath(
  path: string,
  { projectRoot, userDirectory, home }: Pick<ConfigurationSources, "projectRoot" | "userDirectory" | "home">,
): string {
  if (path.startsWith(`${home}/`) && home.startsWith(join(userDirectory, ".kedge"))) {
    return `~${path.slice(userDirectory.length)}`;
  }
  if (path.startsWith(`${projectRoot}/`)) return path.slice(projectRoot.length + 1);
  return isAbsolute(userDirectory) && path.startsWith(`${userDirectory}/`)
    ? `~${path.slice(userDirectory.length)}`
    : path;
}
