/** The placeholders of patterns: `$NAME` for one node, `$_` for one without a name, `$$$NAME` and `$$$` for any number. */

export type Placeholder = {
  /** Without the signs; undefined for those that bind nothing. */
  readonly name: string | undefined;
  readonly isMany: boolean;
  /** As it was written. */
  readonly source: string;
};

/** Texts and placeholders in turn, beginning and ending with a text. */
export type Template = { readonly texts: readonly string[]; readonly placeholders: readonly Placeholder[] };

const written = /(?<![\w$])(?:\$\$\$([A-Z_][A-Z0-9_]*)?|\$([A-Z_][A-Z0-9_]*))(?![\w$])/g;

export function readTemplate(source: string): Template {
  const texts: string[] = [];
  const placeholders: Placeholder[] = [];
  let done = 0;
  for (const match of source.matchAll(written)) {
    texts.push(source.slice(done, match.index));
    const name = match[1] ?? match[2];
    placeholders.push({ name: name === "_" ? undefined : name, isMany: match[2] === undefined, source: match[0] });
    done = match.index + match[0].length;
  }
  texts.push(source.slice(done));
  return { texts, placeholders };
}
