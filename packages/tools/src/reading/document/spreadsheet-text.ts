/** Shows the sheets of a workbook as rows of cells with tabs between them. */
import { decodeReferences, markupText, tagsOf } from "./markup-text.ts";

const stringRule = { wordsIn: ["t"], lines: [], tabs: [] };

/** A lone cell far to the right does not stand behind thousands of tabs. */
const paddedColumnsMax = 100;

/** The texts that cells name by their number. */
export function sharedStrings(xml: string): readonly string[] {
  return [...elements(xml, "si")].map(({ inside }) => markupText(inside, stringRule));
}

export function sheetText(xml: string, strings: readonly string[]): string {
  const rows: string[] = [];
  for (const { inside: row } of elements(xml, "row")) {
    const cells: string[] = [];
    for (const { attributes, inside } of elements(row, "c")) {
      // Empty cells are left out of the file, so each says where it stands.
      const column = columnOf(/\br="([A-Z]{1,3})\d/.exec(attributes)?.[1]) ?? cells.length;
      while (cells.length < Math.min(column, paddedColumnsMax)) cells.push("");
      cells.push(cellText(attributes, inside, strings));
    }
    rows.push(cells.join("\t").trimEnd());
  }
  return rows.join("\n");
}

function cellText(attributes: string, inside: string, strings: readonly string[]): string {
  if (/\bt="inlineStr"/.test(attributes)) return oneLine(markupText(inside, stringRule));
  const value = decodeReferences(/<v[^>]{0,50}>([^<]*)<\/v>/.exec(inside)?.[1] ?? "");
  return oneLine(/\bt="s"/.test(attributes) ? (strings[Number(value)] ?? "") : value);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

function columnOf(letters: string | undefined): number | undefined {
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

type Element = { readonly attributes: string; readonly inside: string };

/** Those of that name that do not stand inside of each other. */
function* elements(xml: string, name: string): Generator<Element> {
  let after = 0;
  for (const { attributes, isEmpty, end } of tagsOf(xml, name)) {
    if (isEmpty || end < after) continue;
    const close = xml.indexOf(`</${name}>`, end);
    if (close === -1) return;
    yield { attributes, inside: xml.slice(end, close) };
    after = close;
  }
}
