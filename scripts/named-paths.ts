/** Finds paths of source files that a document names and that are not there: a map that leads nowhere is worse than none. */

export type MissingPath = { readonly line: number; readonly path: string };

/** Beginnings of paths, such as `…/x.ts`, and patterns are matched at their end. */
export function missingPaths(
  text: string,
  paths: readonly string[],
  packages: readonly string[],
): readonly MissingPath[] {
  const places = new Set(paths.flatMap(placesOf));
  return text.split("\n").flatMap((content, index) =>
    [...content.matchAll(/`([\w./*…-]+)`/g)].flatMap(([, span = ""]) => {
      const path = span.replace(/^…\//, "").replace(/\/$/, "");
      const isOfPackage = packages.some((name) => path.startsWith(`${name}/`));
      const isSource = /\.tsx?$/.test(path);
      if (!isOfPackage && !isSource) return [];
      return isThere(path, places) ? [] : [{ line: index + 1, path: span }];
    }),
  );
}

/** The path itself and its directories, each with all of its endings: documents leave out where a path begins. */
function placesOf(path: string): readonly string[] {
  const steps = path.split("/");
  const directories = steps.map((_, index) => steps.slice(0, index + 1));
  return directories.flatMap((each) => each.map((_, index) => each.slice(index).join("/")));
}

function isThere(path: string, places: ReadonlySet<string>): boolean {
  if (!path.includes("*")) return places.has(path);
  const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
  return [...places].some((place) => pattern.test(place));
}
