/** The rules that close files to reading, and whether they could close one that a command comes upon without naming it. */
import { isAbsolute, relative, resolve } from "node:path";
import { namesPermission } from "./names.ts";
import type { JudgeContext } from "./subject.ts";

/** Their patterns. What a later rule for everything opens again is left out. */
export function closingPatterns({ rules }: Pick<JudgeContext, "rules">): readonly string[] {
  return rules.flatMap((set) => {
    const reading = set.rules.filter(({ permission }) => namesPermission(permission, "read"));
    const opened = reading.findLastIndex(({ pattern, action }) => pattern === "*" && action === "allow");
    return reading.slice(opened + 1).flatMap(({ pattern, action }) => (action === "allow" ? [] : [pattern]));
  });
}

/** Whether one of the patterns could match below one of the directories. Told from the texts alone, in doubt yes. */
export function mayCloseBelow(
  patterns: readonly string[],
  directories: readonly string[],
  { root, home }: { readonly root: string; readonly home: string },
): boolean {
  return patterns.some((pattern) => {
    const whole = pattern.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
    const literal = whole.split(/[*?[]/, 1)[0] ?? "";
    const start = isAbsolute(literal) ? literal : literal === "" ? "" : resolve(root, literal);
    return start === "" || directories.some((directory) => isAlong(start, directory));
  });
}

/** One of them lies in the other, or could be the beginning of its name. */
function isAlong(start: string, directory: string): boolean {
  if (directory.startsWith(start)) return true;
  const way = relative(directory, start);
  return !way.startsWith("..") && !isAbsolute(way);
}

const archive =
  /\.(?:tar|tgz|tbz2?|txz|tzst|tar\.[a-z0-9]+|zip|jar|war|ear|whl|apk|7z|rar|cpio|deb|rpm|iso|bundle|pack)$/i;

/** By its name. What is in it may be a copy of a closed file. */
export function isArchive(path: string): boolean {
  return archive.test(path);
}
