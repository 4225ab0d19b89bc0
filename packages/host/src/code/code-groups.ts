/** Which files of code may run here: the user's own, and those of a project as they were when it was trusted. */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { CodeGroup } from "@kedge/extend/code";
import { findCodeFiles, withImports } from "@kedge/extend/tools";
import type { Home } from "../machine/home.ts";
import { isFile } from "../machine/path-kind.ts";
import type { Project } from "../machine/project.ts";
import { codeInputKinds } from "../trust/project-inputs.ts";
import { isTooWide, judgeWorkspace, trustedAt } from "../trust/workspace-trust.ts";
import { type CodeFolder, type CodeSite, projectCodeFolders, userCodeFolders } from "./code-folders.ts";
import type { CodeSettings } from "./code-settings.ts";

export type CodeGroupParts = {
  readonly home: Home;
  readonly project: Pick<Project, "cwd">;
  readonly site: CodeSite;
  readonly settings: CodeSettings;
  readonly now: () => number;
};

export type FoundGroups = {
  readonly groups: readonly CodeGroup[];
  /** Files that are named and never run. */
  readonly metadata: readonly string[];
  /** Sentences about what does not run, and why. */
  readonly problems: readonly string[];
};

/** Nothing runs, the user's included, where a project brings what nobody trusted. */
export function findCodeGroups(parts: CodeGroupParts): FoundGroups {
  const { home, site, now } = parts;
  const { root, userDirectory } = site;
  const ofProject = projectCodeFolders(site);
  const configured = settingFolders(parts);
  const isInside = ({ path }: CodeFolder) => `${path}${sep}`.startsWith(`${root}${sep}`);
  const ofUser = [...userCodeFolders(site), ...configured.filter((folder) => !isInside(folder))];
  const inside = configured
    .filter(isInside)
    .map(
      ({ path }) =>
        `Ignored ${path} in tools.paths: it is inside the project. Put project tools in .kedge/tools, which is covered by trust.`,
    );
  if (ofProject.length === 0 && ofUser.length === 0) return { groups: [], metadata: [], problems: inside };
  const isWide = isTooWide(root, userDirectory);
  const trust = isWide ? ({ state: "nothing" } as const) : judgeWorkspace({ home, root, userDirectory, now });
  if (trust.state === "unknown" || trust.state === "refused") {
    const problem = "Custom tools and plugins do not run: the project is not trusted. Trust it with kedge trust add.";
    return { groups: [], metadata: [], problems: [problem] };
  }
  const user = collect(ofUser, anywhere);
  const groups: CodeGroup[] = [];
  if (user.code.length > 0) {
    const digests = new Map(withImports(user.code, anywhere).map((path) => [path, hashOf(path)]));
    groups.push({ files: user.code, owner: { kind: "user", root: home.directory }, digests, ...unlimited });
  }
  if (trust.state !== "trusted") return { groups, metadata: user.metadata, problems: inside };
  const own = collect(ofProject, root);
  const trusted = trust.inputs.filter(({ kind }) => codeInputKinds.has(kind));
  const digests = new Map(trusted.map(({ name, hash }) => [join(root, name), hash]));
  if (own.code.length > 0) {
    // Another answer is another version: what packages were like is learned again.
    const version = trustedAt({ home, root }) ?? "";
    groups.push({ files: own.code, owner: { kind: "project", root }, digests, ...unlimited, version });
  }
  return { groups, metadata: [...user.metadata, ...own.metadata], problems: inside };
}

/** Who put a file there, or trusted the project, gave it everything. The digests name the version. */
const unlimited = { capabilities: "all", version: "" } as const;

/** What the user put there may lie behind a link. */
const anywhere = "";

function collect(folders: readonly CodeFolder[], within: string) {
  const found = folders.map(({ path, kind }) => ({ kind, path, ...findIn(path, within) }));
  const code = found.flatMap(({ kind, path, code: files }) =>
    // A folder inside a plugin folder is a package, which is installed and not dropped there.
    kind === "plugin" ? files.filter((file) => dirname(file) === realPath(path)) : files,
  );
  // Scripts in a hook folder are hooks of their own.
  const listed = found.filter(({ kind }) => kind !== "hooks");
  return { code: [...new Set(code)], metadata: listed.flatMap(({ metadata }) => metadata) };
}

function findIn(path: string, within: string) {
  if (!isFile(path)) return findCodeFiles(path, within);
  const name = realPath(path);
  const { code, metadata } = findCodeFiles(dirname(path), within);
  return { code: code.filter((each) => each === name), metadata: metadata.filter((each) => each === path) };
}

function settingFolders({
  settings,
  site: { userDirectory },
  project: { cwd },
}: CodeGroupParts): readonly CodeFolder[] {
  return settings.paths.map((path) => {
    const isHome = path === "~" || path.startsWith("~/");
    return { path: isHome ? join(userDirectory, path.slice(1)) : resolve(cwd, path), kind: "tools" };
  });
}

function hashOf(path: string): string {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    // It cannot be read, so it cannot run.
    return "";
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path + sep;
  }
}
