/** Reads the text of a git configuration, as far as it can be understood without git. */

export type GitSetting = {
  /** Section and key in lower case, the name in quotes left out. */
  readonly name: string;
  /** Undefined where quotes or escapes make it more than its plain text. */
  readonly value: string | undefined;
};

/** Undefined when a line is not understood: git might understand it. */
export function settingsIn(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section = "";
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    let rest = line.trim();
    for (let heading = headingOf(rest); heading !== undefined; heading = headingOf(rest)) {
      section = heading.section;
      rest = heading.rest;
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue;
    const [, key, value = ""] = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/.exec(rest) ?? [];
    // What goes on in the next line is read by nobody but git.
    if (key === undefined || section === "" || value.endsWith("\\") || /[\r\0]/.test(value)) return undefined;
    settings.push({ name: `${section}.${key.toLowerCase()}`, value: plainValue(value.trim()) });
  }
  return settings;
}

function plainValue(text: string): string | undefined {
  const [, quoted, bare] = /^(?:"([^"\\]*)"|([^"\\#;]*))$/.exec(text) ?? [];
  return quoted ?? bare;
}

/** More may stand behind it on the same line. */
function headingOf(text: string): { readonly section: string; readonly rest: string } | undefined {
  if (!text.startsWith("[")) return undefined;
  const found = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"(?:[^"\\\n]|\\.)*")?\s*\](.*)$/.exec(text);
  if (found === null) return undefined;
  const [section = ""] = (found[1] ?? "").toLowerCase().split(".");
  return { section, rest: (found[2] ?? "").trim() };
}
