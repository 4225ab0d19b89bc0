/** Paths in a paste: what a terminal writes when files are dropped on it, in the ways terminals quote them. */

const pathsMax = 20;

/**
 * The paths when the paste has nothing else than absolute paths of files with an extension, or an empty list. Whether
 * they are there is not asked.
 */
export function droppedPaths(pasted: string): readonly string[] {
  const text = pasted.trim();
  if (text === "" || text.includes("\n\n") || text.length > 4_096 * pathsMax) return [];
  const paths = wordsOf(text).map(pathOf);
  const areFiles = paths.every((path) => path !== undefined && /[^\\/]\.[A-Za-z0-9]{1,8}$/.test(path));
  if (!areFiles || paths.length > pathsMax) return [];
  return paths.flatMap((path) => path ?? []);
}

/** As a shell would split them. A path with bare blanks is taken when it is the only one. */
function wordsOf(text: string): readonly string[] {
  const isOneBare = !/["'\\\n]/.test(text) && (text.match(/(?:^|\s)(?:\/|~\/|file:)/g) ?? []).length === 1;
  if (isOneBare || /^[A-Za-z]:\\[^"\n]*$/.test(text)) return [text];
  const words = text.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) => double ?? single ?? escaped),
  );
}

function pathOf(word: string): string | undefined {
  if (word.startsWith("file://")) {
    const path = word.slice("file://".length).replace(/^localhost/, "");
    return path.startsWith("/") && !/%(?![0-9A-Fa-f]{2})/.test(path) ? decodedPath(path) : undefined;
  }
  return /^(?:\/|~\/|[A-Za-z]:[\\/]|\\\\)/.test(word) ? word : undefined;
}

/** Escapes that are no UTF-8 leave the path as it is; then it will not be found, and that is said. */
function decodedPath(path: string): string {
  const bytes = path.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
  );
  return bytes.includes("\ufffd") ? path : bytes;
}
