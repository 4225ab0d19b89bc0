/** Files of the project that a topic cites, with a line where it names one. */

export type CitedPath = { readonly path: string; readonly line?: number };

/** A folder, a name and an ending, in code quotes or between spaces; never an address. */
const everyPath = /(?<![\w/:@.~-])((?:\.\/)?(?:[\w@.-]+\/)+[\w@.-]+\.[A-Za-z]\w{0,7})(?::(\d{1,6}))?(?![\w/])/g;
const pathsMax = 50;

export function citedPaths(text: string): readonly CitedPath[] {
  const withoutAddresses = text.replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, "");
  return [...withoutAddresses.matchAll(everyPath)].slice(0, pathsMax).map(([, path = "", line]) => ({
    path: path.replace(/^\.\//, ""),
    ...(line !== undefined && { line: Number(line) }),
  }));
}
