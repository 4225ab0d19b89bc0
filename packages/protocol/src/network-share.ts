/** Tells paths that lead to another machine, which is given credentials when one is opened. */

/** `//host/share`, `\\host\share` and the same as an address; not the root with a second slash, as in `//.hidden`. */
export function isNetworkShare(text: string): boolean {
  const path = text.replace(/^file:(?=\/\/)/i, "");
  return /^(?:\\\\|\/\/)[^/\\.][^/\\]*[/\\]/.test(path) && !/^file:\/\/localhost\//i.test(text);
}
