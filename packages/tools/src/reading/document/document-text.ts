/** Turns office documents, books and rich text into plain text. */
import { readSync } from "node:fs";
import { ArchiveProblem } from "../archive/archive-entry.ts";
import type { PackedFile } from "../archive/tar-entries.ts";
import { openZip } from "../archive/zip-entries.ts";
import { sizeInWords } from "../in-words.ts";
import { bookText, type DocumentParts } from "./book-text.ts";
import type { DocumentKind } from "./document-kind.ts";
import { type MarkupRule, markupText } from "./markup-text.ts";
import { rtfText } from "./rtf-text.ts";
import { sharedStrings, sheetText } from "./spreadsheet-text.ts";

const wordRule: MarkupRule = {
  wordsIn: ["w:t"],
  lines: ["w:p", "w:br", "w:cr"],
  tabs: ["w:tab"],
};
const slideRule: MarkupRule = { wordsIn: ["a:t"], lines: ["a:p", "a:br"], tabs: [] };
const openRule: MarkupRule = {
  wordsIn: ["text:p", "text:h"],
  lines: ["text:p", "text:h", "text:line-break", "table:table-row"],
  tabs: ["text:tab"],
  spaces: ["text:s"],
};
/** Of all parts together, unpacked. */
const textBytesMax = 16 * 1_024 * 1_024;

const tooMuchText = `Its text has more than ${sizeInWords(textBytesMax)}.`;

/** Throws an `ArchiveProblem` for what cannot be converted. */
export async function documentText(kind: DocumentKind, file: PackedFile): Promise<string> {
  if (kind === "rtf") {
    if (file.sizeBytes > textBytesMax) throw new ArchiveProblem(tooMuchText);
    return rtfText(readAll(file).toString("latin1"));
  }
  const parts = openParts(file);
  switch (kind) {
    case "text":
      return markupText(await parts.load("word/document.xml"), wordRule);
    case "open":
      return markupText(await parts.load("content.xml"), openRule);
    case "slides":
      return numbered(parts, /^ppt\/slides\/slide(\d+)\.xml$/, {
        word: "slide",
        show: (xml) => markupText(xml, slideRule),
      });
    case "sheets": {
      const strings = parts.has("xl/sharedStrings.xml") ? sharedStrings(await parts.load("xl/sharedStrings.xml")) : [];
      return numbered(parts, /^xl\/worksheets\/sheet(\d+)\.xml$/, {
        word: "sheet",
        show: (xml) => sheetText(xml, strings),
      });
    }
    case "book":
      return bookText(parts, file.signal);
  }
}

function openParts(file: PackedFile): DocumentParts {
  const archive = openZip(file);
  const entries = new Map(archive.entries.map((entry) => [entry.name, entry]));
  let bytesLoaded = 0;
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    async load(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new ArchiveProblem(`It has no ${name}.`);
      bytesLoaded += entry.sizeBytes;
      if (bytesLoaded > textBytesMax) throw new ArchiveProblem(tooMuchText);
      return (await archive.load(entry)).toString("utf8");
    },
  };
}

/** Parts that count from 1, each under a heading. */
async function numbered(
  parts: DocumentParts,
  pattern: RegExp,
  { word, show }: { readonly word: string; readonly show: (xml: string) => string },
): Promise<string> {
  const found = parts.names
    .map((name) => ({ name, number: Number(pattern.exec(name)?.[1] ?? 0) }))
    .filter(({ number }) => number > 0)
    .sort((left, right) => left.number - right.number);
  const texts: string[] = [];
  for (const { name, number } of found) texts.push(`# ${word} ${number}\n${show(await parts.load(name)).trimEnd()}\n`);
  return texts.join("");
}

function readAll({ descriptor, sizeBytes }: PackedFile): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
