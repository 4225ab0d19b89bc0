/** Where the imports of one part of the program lead: into itself, to an earlier part, or to a later one. */
import { readFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { OnResolveResult, Plugin, ResolveResult } from "esbuild";
import { exportedFunctions } from "./exported-functions.ts";

/** In the order in which they are loaded. The start stub knows them as well: `start/program-parts.ts`. */
export const partNames = ["main", "extras", "work", "late"] as const;
export type PartName = (typeof partNames)[number];
export type LatePart = Exclude<PartName, "main">;
export const prefixOf = (part: PartName) => `kedge-${part}:`;
export const partFile = (part: PartName, buildId: string) => `${part}-${buildId}.cjs`;

/** By the path of the module, from the root. */
export type ImportedNames = ReadonlyMap<string, readonly string[]>;

export type Place = {
  readonly root: string;
  /** What was found for an import. */
  readonly resolved: Map<string, ResolveResult>;
  readonly lateModules: ReadonlyMap<string, LatePart>;
};

export type OtherParts = {
  /** Modules of earlier parts. */
  readonly held: ReadonlyMap<string, PartName>;
  readonly exported: ImportedNames;
  readonly ask: (part: LatePart, path: string) => void;
};

const sharedNamespace = "kedge-shared";
const laterNamespace = "kedge-later";

export function partImports(part: PartName, place: Place, { held, exported, ask }: OtherParts): Plugin {
  const isLater = (other: LatePart) => partNames.indexOf(other) > partNames.indexOf(part);

  function placeOf(path: string, kind: string): OnResolveResult | undefined {
    if (held.has(path)) return { path, namespace: sharedNamespace, sideEffects: false };
    const isDynamic = kind === "dynamic-import";
    const other = place.lateModules.get(path) ?? (isDynamic ? "late" : undefined);
    if (other === undefined || !isLater(other)) return undefined;
    if (isDynamic) {
      ask(other, path);
      return { path: `${prefixOf(other)}${path}`, external: true };
    }
    if (functionsOf(path) === undefined) return undefined;
    ask(other, path);
    return { path, namespace: laterNamespace, sideEffects: false };
  }

  function functionsOf(path: string): readonly string[] | undefined {
    return path.endsWith(".ts") ? exportedFunctions(readFileSync(resolve(place.root, path), "utf8")) : undefined;
  }

  return {
    name: `imports of ${part}`,
    setup(build) {
      for (const namespace of [sharedNamespace, laterNamespace]) {
        build.onResolve({ filter: /./, namespace }, ({ path }) => ({ path, external: true }));
      }
      build.onLoad({ filter: /./, namespace: sharedNamespace }, ({ path }) => {
        const address = `${prefixOf(held.get(path) ?? "main")}${path}`;
        return { contents: `export { ${exported.get(path)?.join(", ")} } from ${JSON.stringify(address)};` };
      });
      build.onLoad({ filter: /./, namespace: laterNamespace }, ({ path }) => {
        const address = JSON.stringify(`${prefixOf(place.lateModules.get(path) ?? "late")}${path}`);
        const functions = functionsOf(path) ?? [];
        // The first call puts the real function in its own place: a turn makes dozens of such calls.
        const texts = functions.map(
          (name) =>
            `export let ${name} = (...given) => { ${name} = require(${address}).${name}; return ${name}(...given); };`,
        );
        return { contents: texts.join("\n") };
      });
      build.onResolve({ filter: /./ }, async ({ path, pluginData, ...options }) => {
        // Asked again, by this plugin or by another one; two that ask each other would never end.
        if (pluginData !== undefined || options.kind === "entry-point" || path.startsWith("node:")) return undefined;
        const from = `${path} ${path.startsWith(".") ? options.resolveDir : ""}`;
        const found = place.resolved.get(from) ?? (await build.resolve(path, { ...options, pluginData: part }));
        place.resolved.set(from, found);
        if (found.external || found.errors.length > 0 || found.namespace !== "file") return found;
        return placeOf(relative(place.root, found.path).split(sep).join("/"), options.kind) ?? found;
      });
    },
  };
}
