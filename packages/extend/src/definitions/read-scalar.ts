/** Reads one plain or quoted value of a frontmatter. */

export type ReadScalar = { readonly value: string; readonly problem?: string };

const escapes: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "", "0": "" };

/** What YAML has for no value. */
const nothing: ReadonlySet<string> = new Set(["null", "Null", "NULL", "~"]);

export function readScalar(text: string): ReadScalar {
  // Nearly all are plain, and there may be hundreds of files at a start.
  if (!/^["']|[#:]/.test(text)) return { value: nothing.has(text) ? "" : text.trim() };
  const quoted = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(text)?.[1];
  if (quoted !== undefined)
    return { value: quoted.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) };
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(text)?.[1];
  if (single !== undefined) return { value: single.replaceAll("''", "'") };
  if (/^["']/.test(text))
    return { value: text.replace(/^["']/, ""), problem: "the quotes are not closed, or text follows them" };
  const value = text.replace(/\s+#.*$/, "").trim();
  const isBroken = /:\s|:$/.test(value);
  return isBroken ? { value, problem: "quote the value: it contains a colon" } : { value };
}
