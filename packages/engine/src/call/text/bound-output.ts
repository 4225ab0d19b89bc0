/** Cuts what the model sees of one result: the head and the tail stay, the middle says how much is missing. */

const headShare = 0.6;
const lineCharactersMax = 2000;

export function boundOutput(output: string, charactersMax: number): string {
  const text = shortenLines(output);
  if (text.length <= charactersMax) return text;
  const head = Math.floor(charactersMax * headShare);
  const tail = charactersMax - head;
  const missing = text.length - charactersMax;
  return `${safeStart(text, head)}\n[… ${missing} characters left out …]\n${safeEnd(text, tail)}`;
}

function shortenLines(text: string): string {
  // Almost every output has only short lines; looking for a long one is cheaper than splitting.
  if (!hasLongLine(text)) return text;
  return text
    .split("\n")
    .map((line) => {
      if (line.length <= lineCharactersMax) return line;
      const half = lineCharactersMax / 2;
      const missing = line.length - lineCharactersMax;
      return `${safeStart(line, half)}[… ${missing} characters …]${safeEnd(line, half)}`;
    })
    .join("\n");
}

function hasLongLine(text: string): boolean {
  let start = 0;
  while (text.length - start > lineCharactersMax) {
    const end = text.indexOf("\n", start);
    if (end < 0 || end - start > lineCharactersMax) return true;
    start = end + 1;
  }
  return false;
}

/** A cut never parts the two halves of a surrogate pair. */
export function safeStart(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function safeEnd(text: string, length: number): string {
  const from = text.length - length;
  return text.slice(isHighSurrogate(text.charCodeAt(from - 1)) ? from + 1 : from);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
