/** The absolute form of a path, and the forms that rules may name it by, without the work of taking it apart where it is plain already. */
import { resolve, sep } from "node:path";
import { isPlainPath } from "@kedge/protocol";

/** Gives what `resolve` gives. Asked several times before every call, and nearly always of a plain path. */
export function absolutePath(cwd: string, path: string): string {
  if (sep !== "/" || !isPlainPath(path)) return resolve(cwd, path);
  if (path.startsWith("/")) return path;
  return cwd.startsWith("/") && !cwd.endsWith("/") && isPlainPath(cwd) ? `${cwd}/${path}` : resolve(cwd, path);
}

/** Relative to the worktree root and absolute; outside of it only absolute. */
export function pathSpellings(path: string, root: string): readonly string[] {
  const start = root.endsWith(sep) ? root : root + sep;
  return path.startsWith(start) && path.length > start.length ? [path.slice(start.length), path] : [path];
}
