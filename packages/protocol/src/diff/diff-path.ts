/** The paths in the headers of unified diffs. */

/** Of a line `--- path` or `+++ path`, without the time behind a tab and the `a/` or `b/` before it; undefined for no file. */
export function pathOfHeader(line: string): string | undefined {
  const [path = ""] = line.slice("--- ".length).replace(/\r$/, "").split("\t");
  return path === "/dev/null" ? undefined : unquoteDiffPath(path).replace(/^[ab]\//, "");
}

/** Of `diff --git a/path b/path`; undefined where the two differ, as after a rename, or are no paths. */
export function pathOfGitLine(line: string): string | undefined {
  const [, plain, quoted] = /^diff --git (?:a\/(.+) b\/\1|"a\/(.+)" "b\/\2")\r?$/.exec(line) ?? [];
  return quoted === undefined ? plain : unquoteDiffPath(`"${quoted}"`);
}

const escapes: { readonly [letter: string]: string } = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
};

/** git writes paths with unusual letters in quotation marks, bytes beyond ASCII as octal numbers. */
export function unquoteDiffPath(path: string): string {
  if (path.length < 2 || !path.startsWith('"') || !path.endsWith('"')) return path;
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const [whole, octal, letter] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else bytes.push(...encoder.encode(letter === undefined ? whole : (escapes[letter] ?? letter)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
