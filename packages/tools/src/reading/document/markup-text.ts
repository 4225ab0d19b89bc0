/** Takes the words out of the XML of a document, by the names of the elements that hold words and end lines. */

export type MarkupRule = {
  /** Only what stands inside of one of these are words. */
  readonly wordsIn: readonly string[];
  /** At the end of these a line ends. */
  readonly lines: readonly string[];
  /** At the end of these stands a tab. */
  readonly tabs: readonly string[];
  readonly spaces?: readonly string[];
};

const namedCharacters: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const codePointMax = 0x10ffff;

/** Each character is looked at once; what is no well-formed XML gives what words it has. */
export function markupText(xml: string, rule: MarkupRule): string {
  const words = new Set(rule.wordsIn);
  const endings = new Map<string, string>([
    ...rule.lines.map((name) => [name, "\n"] as const),
    ...rule.tabs.map((name) => [name, "\t"] as const),
    ...(rule.spaces ?? []).map((name) => [name, " "] as const),
  ]);
  const pieces: string[] = [];
  let depth = 0;
  for (let index = 0; index < xml.length; ) {
    const open = xml.indexOf("<", index);
    const textEnd = open === -1 ? xml.length : open;
    if (depth > 0 && textEnd > index) pieces.push(decodeReferences(xml.slice(index, textEnd)));
    const close = open === -1 ? -1 : xml.indexOf(">", open);
    if (close === -1) break;
    index = close + 1;
    const isEnd = xml[open + 1] === "/";
    const name = nameAt(xml, isEnd ? open + 2 : open + 1, close);
    const isEmpty = xml[close - 1] === "/";
    if (words.has(name) && !isEmpty) depth = Math.max(0, depth + (isEnd ? -1 : 1));
    const ending = isEnd || isEmpty ? endings.get(name) : undefined;
    if (ending !== undefined) pieces.push(ending);
  }
  return pieces
    .join("")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

export type MarkupTag = { readonly attributes: string; readonly isEmpty: boolean; readonly end: number };

/** The beginnings of the elements of that name from a position on. */
export function* tagsOf(xml: string, name: string, from = 0): Generator<MarkupTag> {
  const start = `<${name}`;
  for (let at = xml.indexOf(start, from); at !== -1; at = xml.indexOf(start, at + 1)) {
    if (!/[\s/>]/.test(xml.charAt(at + start.length))) continue;
    const close = xml.indexOf(">", at);
    if (close === -1) return;
    yield { attributes: xml.slice(at + start.length, close), isEmpty: xml[close - 1] === "/", end: close + 1 };
  }
}

function nameAt(xml: string, start: number, end: number): string {
  let stop = start;
  while (stop < end && !/[\s/]/.test(xml.charAt(stop))) stop += 1;
  return xml.slice(start, stop);
}

export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return namedCharacters[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= codePointMax ? String.fromCodePoint(code).toWellFormed() : whole;
  });
}
