/** The names of files in the headers of unified diffs. */
import { unquoteDiffPath } from "@kedge/protocol";

export function isNoFile(name: string): boolean {
  return name === "/dev/null";
}

/** The name in a line `--- name` or `+++ name`; a time may follow behind a tab. */
export function headerName(line: string): string {
  const name = line.slice(4).split("\t", 1)[0]?.trim() ?? "";
  return unquoteDiffPath(name);
}

/** Both names of `diff --git a/x b/y`, undefined where spaces leave open which is which. */
export function gitLineNames(line: string): readonly [string | undefined, string | undefined] {
  const rest = line.slice("diff --git ".length).trim();
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted !== null) return [unquoteDiffPath(quoted[1] ?? ""), unquoteDiffPath(quoted[2] ?? "")];
  // Where nothing is renamed, both halves are equal but for their first letter.
  const half = (rest.length - 1) / 2;
  const [oldName, newName] = [rest.slice(0, half), rest.slice(half + 1)];
  return rest[half] === " " && oldName.slice(2) === newName.slice(2) ? [oldName, newName] : [undefined, undefined];
}

export type NamedFile = {
  readonly oldName: string | undefined;
  readonly newName: string | undefined;
  readonly renameFrom: string | undefined;
  readonly renameTo: string | undefined;
};

/** Without the prefixes that tell the old side from the new one. */
export function pickNames({ oldName, newName, renameFrom, renameTo }: NamedFile) {
  if (renameFrom !== undefined && renameTo !== undefined) return { oldPath: renameFrom, newPath: renameTo };
  if (oldName === undefined || newName === undefined || oldName === "" || newName === "") return undefined;
  const isPrefixed = (isNoFile(oldName) || oldName.startsWith("a/")) && (isNoFile(newName) || newName.startsWith("b/"));
  const strip = (name: string) => (isPrefixed && !isNoFile(name) ? name.slice(2) : name);
  const [oldPath, newPath] = [strip(oldName), strip(newName)];
  // By old habit the left side names a copy that was kept aside.
  const isKeptAside = ["orig", "old", "bak"].some((ending) => oldPath === `${newPath}.${ending}`);
  return { oldPath: isKeptAside ? newPath : oldPath, newPath };
}
