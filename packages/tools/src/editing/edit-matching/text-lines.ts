/** A text as lines that know where they stand, and the forms in which two lines may count as the same. */

export type TextLine = {
  /** Without its line ending. */
  readonly content: string;
  readonly start: number;
  /** Where the content ends and the line ending begins. */
  readonly end: number;
  readonly ending: "" | "\n" | "\r\n";
};

/** A text that ends in a line ending has no further, empty line behind it. */
export function splitTextLines(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf("\n", start);
    if (feed === -1) {
      lines.push({ content: text.slice(start), start, end: text.length, ending: "" });
      break;
    }
    const end = feed > start && text[feed - 1] === "\r" ? feed - 1 : feed;
    lines.push({ content: text.slice(start, end), start, end, ending: end === feed ? "\n" : "\r\n" });
    start = feed + 1;
  }
  return lines;
}

/** The lines of what a model wrote, in which a line ending at the end opens an empty last line. */
export function splitWanted(text: string): readonly string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

export function trimEnd(line: string): string {
  return line.replace(/[ \t]+$/, "");
}

/** Without white space at its ends and with every run of it inside as one space. */
export function collapse(line: string): string {
  return line.replace(/^[ \t]+|[ \t]+$/g, "").replaceAll(/[ \t]+/g, " ");
}

/** What all lines that are not blank begin with. */
export function commonIndent(lines: readonly string[]): string {
  let common: string | undefined;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const indent = indentOf(line);
    if (common === undefined) {
      common = indent;
      continue;
    }
    let length = 0;
    while (length < common.length && common[length] === indent[length]) length += 1;
    common = common.slice(0, length);
  }
  return common ?? "";
}

/** The number of the line, from 1, at which a place lies. */
export function lineNumberAt(text: string, offset: number): number {
  return lineNumbersAt(text, [offset])[0] ?? 1;
}

/** The same for many places in ascending order, in one pass: a letter may occur a hundred thousand times. */
export function lineNumbersAt(text: string, offsets: readonly number[]): readonly number[] {
  let line = 1;
  let feed = text.indexOf("\n");
  return offsets.map((offset) => {
    for (; feed !== -1 && feed < offset; feed = text.indexOf("\n", feed + 1)) line += 1;
    return line;
  });
}
