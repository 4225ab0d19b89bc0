/** The folders in which custom tools and plugins lie, of the user and of a project; found by name alone. */
import { join } from "node:path";
import { ompFolder, ompFolderDefault } from "../machine/omp-folder.ts";
import { isDirectory } from "../machine/path-kind.ts";

export type CodeFolder = {
  readonly path: string;
  /** Folders in a plugin folder do not count, only files; in a hook folder there are scripts beside code. */
  readonly kind: "tools" | "plugin" | "hooks";
};

export type CodeSite = {
  readonly root: string;
  readonly kedgeHome: string;
  readonly userDirectory: string;
  /** Sources that the user switched off, by id. */
  readonly disabled: readonly string[];
  /** Tool folders of agents that share no form of tools with kedge count as well. */
  readonly hasOtherTools?: boolean;
};

const names = ["tools", "tool", "plugins", "plugin"];
/** In kedge's own directory `plugins` holds what was installed. */
const ownNames = ["tools", "tool", "plugin"];
const ompNames = ["tools", "extensions", "hooks/pre", "hooks/post"];

type Source = {
  readonly id: string;
  readonly project: string;
  /** Below the user's home directory. */
  readonly user: string;
  readonly names: readonly string[];
  readonly isOther?: true;
};

const sources: readonly Source[] = [
  { id: "opencode", project: ".opencode", user: ".config/opencode", names },
  { id: "omp", project: ".omp", user: ompFolderDefault, names: ompNames },
  { id: "claude", project: ".claude", user: ".claude", names: ["tools"], isOther: true },
  { id: "codex", project: ".codex", user: ".codex", names: ["tools"], isOther: true },
];

/** Those of a project that exist. */
export function projectCodeFolders(site: CodeSite): readonly CodeFolder[] {
  const { root, kedgeHome } = site;
  const own = join(root, ".kedge");
  return [
    // Started in the home directory, kedge's own folder is the user's.
    ...(own === kedgeHome ? [] : foldersIn(own, names)),
    ...sourcesOf(site).flatMap((source) => foldersIn(join(root, source.project), source.names)),
  ];
}

export function userCodeFolders(site: CodeSite): readonly CodeFolder[] {
  const { kedgeHome, userDirectory } = site;
  const baseOf = ({ id, user }: Source) => (id === "omp" ? ompFolder(userDirectory, kedgeHome) : user);
  const foreign = sourcesOf(site).flatMap((source) => foldersIn(join(userDirectory, baseOf(source)), source.names));
  return [...foldersIn(kedgeHome, ownNames), ...foreign];
}

/** Whether a project brings code that would run after trust. */
export function bringsCode(root: string): boolean {
  return projectCodeFolders({ root, kedgeHome: "", userDirectory: "", disabled: [], hasOtherTools: true }).length > 0;
}

export function hasCodeFolders(site: CodeSite): boolean {
  return userCodeFolders(site).length > 0 || projectCodeFolders(site).length > 0;
}

function sourcesOf({ disabled, hasOtherTools = false }: CodeSite): readonly Source[] {
  return sources.filter(({ id, isOther }) => !disabled.includes(id) && (hasOtherTools || isOther === undefined));
}

function foldersIn(base: string, wanted: readonly string[]): readonly CodeFolder[] {
  if (!isDirectory(base)) return [];
  return wanted.flatMap((name): readonly CodeFolder[] => {
    const path = join(base, name);
    return isDirectory(path) ? [{ path, kind: kindOf(name) }] : [];
  });
}

function kindOf(name: string): CodeFolder["kind"] {
  if (name.startsWith("hooks")) return "hooks";
  return name.startsWith("tool") ? "tools" : "plugin";
}
