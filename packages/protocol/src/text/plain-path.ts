/** Tells paths that are written plainly from those that have to be taken apart. */

/**
 * True where `resolve` of Node gives back the same text: absolute, with forward slashes, no empty part, and none that
 * begins with a dot. Nearly every path is one, and taking it apart makes forty calls.
 */
export function isPlainAbsolutePath(path: string): boolean {
  return path.startsWith("/") && isPlainPath(path);
}

/** The same for one that may count from a directory. */
export function isPlainPath(path: string): boolean {
  return path !== "" && !path.startsWith(".") && !path.includes("/.") && !path.includes("//") && !path.endsWith("/");
}
