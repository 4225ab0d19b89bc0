/** The forms in which words may be disguised, each turned back into plain words where a text looks like it. */
import { withoutTypos } from "./without-typos.ts";

/** Letters of other scripts, and below each the Latin one that it looks like. */
const foreign = "аеорсухіјѕԁһӏкмтвнгпοαεικρτυνıɡƍІАЕОРСХВНКМТ";
const latin = "aeopcyxijsdhlkmtbhrnoaeikptuviggIAEOPCXBHKMT";
const digitLetters: { readonly [digit: string]: string } = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

const otherLetters = /[\u0370-\u04ff\u0500-\u052f\u0131\u0261\u018d]/;
const latinBesideOther = /[A-Za-z][\u0370-\u052f\u0131\u0261\u018d]|[\u0370-\u052f\u0131\u0261\u018d][A-Za-z]/;
const digitInWord = /[A-Za-z][013457@$]|[013457@$][A-Za-z]/;
/** Letters one by one; what parts words is wider than what parts letters, or a blank where letters have something else. */
const spacedWords = /(?:\b[A-Za-z](?:[ .*_-]|\s{2,})(?=[A-Za-z]\b)){5,}[A-Za-z]\b/g;
const hyphenInWord = /[A-Za-z]-[a-z]/;
const base64Run = /(?<![\w+/])[A-Za-z0-9+/_-]{24,8000}={0,2}(?![\w+/])/g;
const hexRun = /(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[ :]?){16,4000}(?![0-9A-Fa-f])/g;
const entity = /&#(?:x([0-9a-f]{2,5})|(\d{2,6}));?/gi;
const codeEscape = /\\(?:u\{?([0-9a-fA-F]{4,5})\}?|x([0-9a-fA-F]{2}))/g;
const percent = /%[0-9A-Fa-f]{2}/;
/** What the words that attacks begin with look like with each letter thirteen places on, and backwards. */
const rotated = /vtaber|vafgehpgvba|cerivbhf|qvfertneq|sbetrg|flfgrz cebzcg|erirny/i;
const backwards = /erongi|snoitcurtsni|suoiverp|tegrof|drage?rsid|tpmorp|laever/i;

/** The text itself comes first. Decoded parts come alone, because what stands around them is another text. */
export function formsOf(text: string): readonly string[] {
  const forms = [text];
  const add = (form: string) => void (form !== text && forms.push(changedLines(text, form)));
  if (otherLetters.test(text) && latinBesideOther.test(text)) add(withLatin(text));
  if (/\p{Mn}/u.test(text.normalize("NFD"))) add(text.normalize("NFD").replaceAll(/\p{Mn}/gu, ""));
  if (digitInWord.test(text)) add(withLetters(text));
  add(text.replaceAll(spacedWords, joinLetters));
  add(withoutTypos(text));
  if (hyphenInWord.test(text)) add(text.replaceAll(/([A-Za-z])-(?=[a-z])/g, "$1"));
  if (/[a-z][A-Z][a-z]+[A-Z]/.test(text)) add(text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " "));
  if (/[a-z]_[a-z]/i.test(text)) add(text.replaceAll(/(?<=[a-z"'])_|_(?=[a-z])/gi, " "));
  if (rotated.test(text)) add(text.replaceAll(/[A-Za-z]/g, rotate));
  if (backwards.test(text)) add([...text].reverse().join(""));
  add(text.replaceAll(entity, (_, hex?: string, digits?: string) => character(hex, digits)));
  add(text.replaceAll(codeEscape, (_, long?: string, short?: string) => character(long ?? short, undefined)));
  if (percent.test(text)) add(text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, decodePercent));
  // Words of a language: letters with blanks between them, and hardly anything else.
  return [...forms, ...decodedIn(text).filter((decoded) => /[a-z]{2,} [a-z]{2,}/i.test(decoded))];
}

/** What stands in the text as base64 or hexadecimal digits, as far as it is plain text. */
export function decodedIn(text: string): readonly string[] {
  const decoded = [
    ...[...text.matchAll(base64Run)].map(([run]) => Buffer.from(run, "base64")),
    ...[...text.matchAll(hexRun)].map(([run]) => Buffer.from(run.replaceAll(/[ :]/g, ""), "hex")),
  ];
  return decoded.map((bytes) => bytes.toString("latin1")).filter((each) => /^[\x20-\x7e\n]{12,}$/.test(each));
}

/** What is new in a form, with the lines beside it: the rest was seen in the text itself. */
function changedLines(text: string, form: string): string {
  const [before, after] = [text.split("\n"), form.split("\n")];
  if (before.length !== after.length) return form;
  const isNew = (line: number) => before[line] !== after[line];
  return after.filter((_, line) => isNew(line) || isNew(line - 1) || isNew(line + 1)).join("\n");
}

function joinLetters(run: string): string {
  const parting = /[A-Za-z][.*_-][A-Za-z]/.test(run) ? /\s+/ : /\s{2,}/;
  return run
    .split(parting)
    .map((word) => word.replaceAll(/[ .*_-]/g, ""))
    .join(" ");
}

function withLatin(text: string): string {
  return text.replaceAll(/[\u0370-\u052f\u0131\u0261\u018d]/g, (letter) => latin[foreign.indexOf(letter)] ?? letter);
}

function withLetters(text: string): string {
  return text.replaceAll(/[A-Za-z013457@$]*[A-Za-z][A-Za-z013457@$]*/g, (word) =>
    word.replaceAll(/[013457@$]/g, (digit) => digitLetters[digit] ?? digit),
  );
}

function rotate(letter: string): string {
  const base = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}

function character(hex: string | undefined, digits: string | undefined): string {
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function decodePercent(run: string): string {
  return Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8");
}
