/** Takes the words out of a rich text file. */
import { ArchiveProblem } from "../archive/archive-entry.ts";

/** Groups that hold no words of the text. */
const silentGroups: ReadonlySet<string> = new Set([
  "colortbl",
  "filetbl",
  "fonttbl",
  "footer",
  "generator",
  "header",
  "info",
  "listoverridetable",
  "listtable",
  "objdata",
  "pict",
  "rsidtbl",
  "stylesheet",
  "themedata",
  "xmlnstbl",
]);

const signs: { readonly [word: string]: string } = {
  par: "\n",
  line: "\n",
  row: "\n",
  sect: "\n",
  page: "\n",
  tab: "\t",
  cell: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
};

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z'])|([{}])|([^\\{}]+)/gis;

const nestingMax = 1_000;

type Group = { isSilent: boolean; fallbackCharacters: number };

/** Throws an `ArchiveProblem` for what no writer makes. */
export function rtfText(rtf: string): string {
  const decoder = new TextDecoder("windows-1252");
  const pieces: string[] = [];
  const outer: Group[] = [];
  let group: Group = { isSilent: false, fallbackCharacters: 1 };
  /** Characters that stand for one that was already given by its number. */
  let skipped = 0;
  const add = (text: string): void => {
    const rest = text.slice(skipped);
    skipped = Math.max(0, skipped - text.length);
    if (!group.isSilent) pieces.push(rest);
  };
  for (const [, word, number, byte, sign, brace, text] of rtf.matchAll(token)) {
    if (brace === "{") {
      if (outer.length >= nestingMax) throw new ArchiveProblem(`It is nested more than ${nestingMax} groups deep.`);
      outer.push({ ...group });
    } else if (brace === "}") group = outer.pop() ?? group;
    else if (text !== undefined) add(text.replace(/[\r\n]+/g, ""));
    else if (byte !== undefined) add(decoder.decode(Uint8Array.of(Number.parseInt(byte, 16))));
    else if (sign !== undefined) {
      if (sign === "*") group.isSilent = true;
      else if (/[\\{}]/.test(sign)) add(sign);
      else if (sign === "~") add(" ");
      else if (sign === "\n" || sign === "\r") add("\n");
    } else if (word === "u" && number !== undefined) {
      skipped = 0;
      add(String.fromCharCode(Number(number) & 0xffff));
      skipped = group.fallbackCharacters;
    } else if (word === "uc") group.fallbackCharacters = Math.min(Math.max(Number(number ?? 1), 0), 16);
    else if (word !== undefined && silentGroups.has(word)) group.isSilent = true;
    else if (word !== undefined && signs[word] !== undefined) add(signs[word]);
  }
  return pieces.join("").toWellFormed();
}
