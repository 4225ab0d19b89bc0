/** The folders in which custom tools and plugins lie, of the user and of a project; found by name alone. */
import { statSync } from "node:fs";
import { join } from "node:path";

const names = ["tools", "tool", "plugins", "plugin"];
/** In kedge's own directory `plugins` holds what was installed. */
const ownNames = ["tools", "tool", "plugin"];

export type CodeFolder = {
  readonly path: string;
  /** Files in a plugin folder count, folders in it do not. */
  readonly kind: "tools" | "plugin";
};

export type CodeSite = {
  readonly root: string;
  readonly kedgeHome: string;
  readonly userDirectory: string;
  /** Sources that the user switched off, by id. */
  readonly disabled: readonly string[];
};

/** Those of a project that exist. */
export function projectCodeFolders({ root, disabled, kedgeHome }: CodeSite): readonly CodeFolder[] {
  const bases = [join(root, ".kedge"), ...(disabled.includes("opencode") ? [] : [join(root, ".opencode")])];
  // Started in the home directory, kedge's own folder is the user's.
  return bases.filter((base) => base !== kedgeHome).flatMap((base) => foldersIn(base, names));
}

export function userCodeFolders({ kedgeHome, userDirectory, disabled }: CodeSite): readonly CodeFolder[] {
  const foreign = disabled.includes("opencode") ? [] : [join(userDirectory, ".config", "opencode")];
  return [...foldersIn(kedgeHome, ownNames), ...foreign.flatMap((base) => foldersIn(base, names))];
}

/** Whether a project brings code that would run after trust. */
export function bringsCode(root: string): boolean {
  return projectCodeFolders({ root, kedgeHome: "", userDirectory: "", disabled: [] }).length > 0;
}

export function hasCodeFolders(site: CodeSite): boolean {
  return userCodeFolders(site).length > 0 || projectCodeFolders(site).length > 0;
}

function foldersIn(base: string, wanted: readonly string[]): readonly CodeFolder[] {
  if (!isDirectory(base)) return [];
  return wanted.flatMap((name): readonly CodeFolder[] => {
    const path = join(base, name);
    return isDirectory(path) ? [{ path, kind: name.startsWith("tool") ? "tools" : "plugin" }] : [];
  });
}

/** What cannot be looked at holds nothing for us. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
