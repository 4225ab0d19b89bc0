/** Loads installed provider packages, from kedge's own directory first, and never installs any. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Failure, FailureError, isJsonObject } from "@kedge/protocol";
import { isPackageName } from "./known-packages.ts";

export type PackageLoader = (packageName: string) => Promise<unknown>;

/** Where `kedge providers install` puts packages. */
export function installDirectory(kedgeHome: string): string {
  return join(kedgeHome, "packages");
}

/** The folders `node_modules` to look in: what the user installed, then what came with kedge. */
export function packageDirectories(kedgeHome: string): readonly string[] {
  const directories = [join(installDirectory(kedgeHome), "node_modules")];
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    directories.push(join(folder, "node_modules"));
    if (dirname(folder) === folder) return directories;
  }
}

/**
 * Gives a package's exports; throws a `FailureError` when it is not installed or cannot be loaded.
 *
 * `require` loads packages of either kind, and since Node 22.13 without a warning. `import()` is not used, because the
 * program runs inside a vm.Script, where Node warns about it.
 */
export function createPackageLoader({ directories }: { readonly directories: readonly string[] }): PackageLoader {
  return async (packageName) => {
    const installed = withoutPart(packageName);
    if (!isPackageName(installed)) throw new FailureError(notAPackage(packageName));
    // Looked up here and not by Node, which would go on in the folders above, such as those of a project.
    const folder = directories.find((each) => existsSync(join(each, installed, "package.json")));
    if (folder === undefined) throw new FailureError(notInstalled(installed));
    try {
      const exports: unknown = createRequire(join(folder, "package.json"))(packageName);
      return exports;
    } catch (error) {
      throw new FailureError(notLoadable(packageName, error), error);
    }
  };
}

/** Some packages have a second door, named behind theirs; nothing that could be a path is taken for one. */
function withoutPart(specifier: string): string {
  const [, name = specifier] = /^((?:@[^/]+\/)?[^@/][^/]*)\/[a-z0-9-]+$/.exec(specifier) ?? [];
  return name;
}

/** The version of a package in a folder `node_modules`; undefined when it is not there. */
export function installedVersion(directory: string, packageName: string): string | undefined {
  const version = readPackageFile(join(directory, packageName))?.["version"];
  return typeof version === "string" ? version : undefined;
}

/** The content of a folder's `package.json`; undefined when there is none that can be read. */
export function readPackageFile(folder: string): { readonly [name: string]: unknown } | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function notAPackage(packageName: string): Failure {
  return {
    code: "configuration",
    message: `"${packageName}" is not the name of an npm package.`,
    recovery: 'Fix "npm" in the provider\'s settings.',
    retryable: false,
  };
}

function notInstalled(packageName: string): Failure {
  return {
    code: "configuration",
    message: `The package ${packageName} is not installed.`,
    recovery: `Install it with: kedge providers install ${packageName}`,
    retryable: false,
  };
}

function notLoadable(packageName: string, error: unknown): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = code === "" ? (error instanceof Error ? error.name : String(error)) : code;
  return {
    code: "configuration",
    message: `The package ${packageName} is installed but cannot be loaded (${reason}).`,
    recovery: `Install it again with: kedge providers install ${packageName}`,
    retryable: false,
  };
}
