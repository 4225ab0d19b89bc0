/** Reads a unified diff into files and hunks. */

export type DiffLine = { readonly sign: "+" | "-" | " "; readonly text: string };

export type DiffHunk = { readonly header: string; readonly lines: readonly DiffLine[] };

export type DiffFile = {
  /** Undefined for a file that the change created. */
  readonly before: string | undefined;
  /** Undefined for a file that the change deleted. */
  readonly after: string | undefined;
  readonly hunks: readonly DiffHunk[];
};

/** More of one call's change is not looked at. */
const diffCharactersMax = 64 * 1024;
/** Longer lines are written by programs. */
const lineCharactersMax = 1_000;

type OpenFile = { before: string | undefined; after: string | undefined; hunks: DiffHunk[] };
type OpenHunk = { header: string; lines: DiffLine[]; removedLeft: number; addedLeft: number };

export function parseUnifiedDiff(diff: string): readonly DiffFile[] {
  const files: OpenFile[] = [];
  let hunk: OpenHunk | undefined;
  let renamed: OpenFile | undefined;
  for (const line of diff.slice(0, diffCharactersMax).split("\n")) {
    // A removed line that begins with two dashes looks like a header, so the counts of the hunk decide.
    if (hunk !== undefined && takeLine(hunk, line)) continue;
    hunk = undefined;
    if (line.startsWith("diff --git ")) renamed = undefined;
    else if (line.startsWith("rename from ")) {
      renamed = { before: line.slice("rename from ".length), after: undefined, hunks: [] };
      files.push(renamed);
    } else if (line.startsWith("rename to ") && renamed !== undefined) renamed.after = line.slice("rename to ".length);
    else if (line.startsWith("--- ")) {
      if (renamed === undefined) files.push({ before: nameOf(line), after: undefined, hunks: [] });
    } else if (line.startsWith("+++ ")) {
      const file = files.at(-1);
      if (file !== undefined && renamed === undefined) file.after = nameOf(line);
    } else {
      hunk = openHunk(line);
      if (hunk !== undefined) files.at(-1)?.hunks.push(hunk);
    }
  }
  return files;
}

function nameOf(line: string): string | undefined {
  const name = line.slice(4).split("\t", 1)[0] ?? "";
  if (name === "/dev/null") return undefined;
  return name.replace(/^[ab]\//, "");
}

function openHunk(line: string): OpenHunk | undefined {
  const match = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@(.*)$/.exec(line);
  if (match === null) return undefined;
  const [, removed = "1", added = "1", header = ""] = match;
  return { header, lines: [], removedLeft: Number(removed), addedLeft: Number(added) };
}

/** False once the hunk has all its lines. */
function takeLine(hunk: OpenHunk, line: string): boolean {
  if (line.startsWith("\\")) return true;
  if (hunk.removedLeft <= 0 && hunk.addedLeft <= 0) return false;
  const sign = line === "" ? " " : line[0];
  if (sign !== "+" && sign !== "-" && sign !== " ") return false;
  if (sign !== "+") hunk.removedLeft -= 1;
  if (sign !== "-") hunk.addedLeft -= 1;
  hunk.lines.push({ sign, text: line.slice(1, lineCharactersMax) });
  return true;
}
