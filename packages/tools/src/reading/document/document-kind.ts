/** Tells by its name and first bytes which kind of document a file is. */

export type DocumentKind = "text" | "slides" | "sheets" | "open" | "book" | "rtf";

const kindsByExtension: { readonly [extension: string]: DocumentKind } = {
  ".docm": "text",
  ".docx": "text",
  ".dotx": "text",
  ".epub": "book",
  ".odp": "open",
  ".ods": "open",
  ".odt": "open",
  ".ppsx": "slides",
  ".pptm": "slides",
  ".pptx": "slides",
  ".rtf": "rtf",
  ".xlsm": "sheets",
  ".xlsx": "sheets",
};

/** Undefined where the content is not what the name promises, so that it is shown as what it is. */
export function documentKindOf(path: string, beginning: Buffer): DocumentKind | undefined {
  const kind = kindByName(path);
  const promised = kind === "rtf" ? "{\\rtf" : "PK\x03\x04";
  return beginning.toString("latin1", 0, promised.length) === promised ? kind : undefined;
}

/** These are small texts as well, and must not be shown as such. */
export function isRichText(path: string): boolean {
  return kindByName(path) === "rtf";
}

function kindByName(path: string): DocumentKind | undefined {
  const dot = path.lastIndexOf(".");
  return dot === -1 ? undefined : kindsByExtension[path.slice(dot).toLowerCase()];
}
