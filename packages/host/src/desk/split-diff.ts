/** Takes a unified diff of many files apart: the patch of each, and how many lines it adds and takes away. */

export type FilePatch = { readonly patch: string; readonly additions: number; readonly deletions: number };

const fileStart = /^diff --git /m;

/** By the path that the file has now, or had before it was deleted. */
export function splitDiff(text: string): ReadonlyMap<string, FilePatch> {
  const patches = new Map<string, FilePatch>();
  for (const body of text.split(fileStart).slice(1)) {
    const patch = `diff --git ${body}`;
    const path = pathOf(patch);
    if (path !== undefined) patches.set(path, { patch, ...countLines(patch) });
  }
  return patches;
}

function pathOf(patch: string): string | undefined {
  const head = patch.slice(0, patch.search(/^@@ /m) === -1 ? patch.length : patch.search(/^@@ /m));
  const after = named(head, /^\+\+\+ (.+)$/m) ?? named(head, /^--- (.+)$/m);
  // Files without lines, such as empty and binary ones, are named in the first line alone, twice the same.
  return after ?? /^diff --git (?:"?a\/(.+?)"?) (?:"?b\/\1"?)$/m.exec(head)?.[1];
}

function named(head: string, line: RegExp): string | undefined {
  const found = line.exec(head)?.[1];
  if (found === undefined || found === "/dev/null") return undefined;
  const plain = found.startsWith('"') ? unquoted(found) : found.replace(/\t$/, "");
  return plain.replace(/^[ab]\//, "");
}

/** git writes bytes beyond ASCII as octal numbers inside quotes. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const inner = text.slice(1, -1);
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] !== "\\") {
      bytes.push(...Buffer.from(inner[at] ?? ""));
      continue;
    }
    const octal = /^[0-7]{3}/.exec(inner.slice(at + 1))?.[0];
    const letter = inner[at + 1] ?? "";
    bytes.push(octal === undefined ? (escapes[letter] ?? letter.charCodeAt(0)) : Number.parseInt(octal, 8));
    at += octal === undefined ? 1 : octal.length;
  }
  return Buffer.from(bytes).toString("utf8");
}

const escapes: { readonly [letter: string]: number } = { n: 10, t: 9, r: 13, b: 8, f: 12, v: 11, a: 7 };

function countLines(patch: string): { readonly additions: number; readonly deletions: number } {
  let additions = 0;
  let deletions = 0;
  let isBody = false;
  for (const line of patch.split("\n")) {
    if (line.startsWith("@@ ")) isBody = true;
    else if (!isBody) continue;
    else if (line.startsWith("+")) additions += 1;
    else if (line.startsWith("-")) deletions += 1;
  }
  return { additions, deletions };
}
