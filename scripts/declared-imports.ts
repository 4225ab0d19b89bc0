/** What each package declares in its own `package.json`: nothing that it does not use, in the versions of the root. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Source = { readonly part: string; readonly isTest: boolean; readonly source: string };

export type WrongDeclaration = { readonly file: string; readonly line: number; readonly sentence: string };

/** By name, with the version. Tests use what the root declares for development. */
export type Declared = ReadonlyMap<string, string>;

const runtime = ["dependencies", "optionalDependencies"];
const ownVersion = "0.1.0";

export function declaredBy(root: string, part: string): Declared {
  return dependenciesIn(join(root, packageFile(part)), runtime);
}

export function packageFile(part: string): string {
  return `packages/${part}/package.json`;
}

export function checkDeclarations(root: string, parts: readonly string[], files: readonly Source[]) {
  const versions = dependenciesIn(join(root, "package.json"), [...runtime, "devDependencies"]);
  return parts.flatMap((part) => {
    const own = files.filter((file) => file.part === part && !file.isTest);
    return [...declaredBy(root, part)].flatMap(([name, version]): readonly WrongDeclaration[] => {
      const report = (sentence: string) => [{ file: packageFile(part), line: 1, sentence }];
      // Some are found by a path and not imported, so any mention counts.
      if (!own.some(({ source }) => source.includes(name))) return report(`${name} is declared and never used`);
      const wanted = name.startsWith("@kedge/") ? ownVersion : versions.get(name);
      return version === wanted ? [] : report(`${name} must be ${wanted ?? "in the package.json of the root"}`);
    });
  });
}

function dependenciesIn(file: string, fields: readonly string[]): Declared {
  if (!existsSync(file)) return new Map();
  // Our own files, of which npm reads the same fields.
  const parsed = JSON.parse(readFileSync(file, "utf8")) as { readonly [field: string]: object | undefined };
  return new Map(fields.flatMap((field) => Object.entries(parsed[field] ?? {})));
}
