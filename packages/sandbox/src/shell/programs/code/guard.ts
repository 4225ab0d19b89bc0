/** Recognises what must never be removed, moved or overwritten without a person. */
import { normalize, resolve } from "node:path";
import type { ProgramPlace, ShellWord } from "../../shell-command.ts";

/** The root, the home, the workspace, a `.git`, or everything directly below one of them. */
export function isVitalPath(word: ShellWord, directory: string | undefined, place: ProgramPlace): boolean {
  const { text } = word;
  if (!word.isLiteral && !word.isGlob) return /^(\$\{?HOME\}?|~)(\/\*?)?$/.test(text);
  // `/*`, `./*`, `.*` and `{*,.*}` name everything that their directory holds.
  const isAll = word.isGlob && /(^|\/)(\*|\.\*|\.\[.*|\{.*\*.*\}|\*\*)\/?$/.test(text);
  const named = isAll ? text.slice(0, text.lastIndexOf("/", text.length - 2) + 1) || "." : text;
  if (!named.startsWith("/") && directory === undefined) return /^(\.|\.\/|\.\.\/?)$/.test(named) || isGit(named);
  const path = stripEnd(resolve(directory ?? "/", named));
  return isAbove(path, place.root) || isAbove(path, place.home) || isGit(path) || isTopDirectory(path);
}

export function isBlockDevice(path: string): boolean {
  return /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-|loop|mem$|kmem$|port$|sr\d)/.test(
    normalize(path),
  );
}

function isGit(path: string): boolean {
  return /(^|\/)\.git\/?$/.test(path);
}

/** `/`, `/home`, `/usr`, `/etc` and the like. */
function isTopDirectory(path: string): boolean {
  return (
    path === "/" ||
    /^\/(bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library|Applications)$/.test(
      path,
    )
  );
}

function isAbove(path: string, place: string): boolean {
  const target = stripEnd(place);
  return path === target || target.startsWith(path === "/" ? "/" : `${path}/`);
}

function stripEnd(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
