/** Finds the block of a private key, whole or cut off at either end, also where each line has a number before it. */

export type KeyBlock = { readonly start: number; readonly end: number };

const dashes = "-----";
const begin = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const end = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const bodyCharactersMax = 20_000;
/** A line of a key, as it is or behind a number, a name or a sign of a diff; lines may end as in JSON. */
const bodyLine =
  /(?:\\r)?(?:\r?\n|\\n)[^\S\n]{0,8}(?:[^\s]{0,80}?[:|→>+-]?[^\S\n]{1,4})?(?:[A-Za-z0-9+/]{16,76}={0,2}|[\w-]{4,20}: [^\n\\]{1,80})?(?=\s|\\|$)/y;
const keyLineEnd = /[A-Za-z0-9+/]{16,76}={0,2}\s*(?:\n|[^\s]{0,80}?[:|→>+-]?[^\S\n]{1,4})?$/;
const lineCharactersMax = 200;

/** `index` is where dashes with BEGIN or END stand. */
export function findKeyBlock(text: string, index: number): KeyBlock | undefined {
  end.lastIndex = index;
  if (end.test(text)) return cutAtStart(text, index, end.lastIndex);
  begin.lastIndex = index;
  if (!begin.test(text)) return undefined;
  const bodyStart = begin.lastIndex;
  const next = text.indexOf(dashes, bodyStart);
  if (next !== -1 && next - bodyStart <= bodyCharactersMax) {
    end.lastIndex = next;
    if (end.test(text)) {
      return holdsKeyBody(text.slice(bodyStart, next)) ? { start: index, end: end.lastIndex } : undefined;
    }
  }
  return cutAtEnd(text, index, bodyStart);
}

/** Whether a block begins here of which the rest may yet come. */
export function isOpenKeyBlock(text: string, index: number): boolean {
  const lineEnd = text.indexOf("\n", index);
  const isHeaderCut = lineEnd === -1 && text.length - index < 80;
  begin.lastIndex = index;
  if (!begin.test(text)) return isHeaderCut && text.startsWith("-----BEGIN", index);
  return text.indexOf(dashes, begin.lastIndex) === -1 || /-(?:E|EN|END[^\n]{0,60})?$/.test(text.slice(-70));
}

function holdsKeyBody(body: string): boolean {
  const plain = body.replaceAll(/\\[nr]|\s|^[\w-]+: .*$/gm, "");
  return /[A-Za-z0-9+/=]{32,}/.test(plain) || /^[A-Za-z0-9+/=]{4,}$/.test(plain);
}

/** As many lines as look like a key. */
function cutAtEnd(text: string, start: number, bodyStart: number): KeyBlock | undefined {
  let at = bodyStart;
  let hasBody = false;
  while (at - bodyStart < bodyCharactersMax) {
    bodyLine.lastIndex = at;
    const line = bodyLine.exec(text);
    if (line === null || line[0] === "") break;
    hasBody ||= /[A-Za-z0-9+/]{16}/.test(line[0]);
    at = bodyLine.lastIndex;
  }
  return hasBody ? { start, end: at } : undefined;
}

/** The lines before the end of a block whose beginning is not in the text. */
function cutAtStart(text: string, index: number, blockEnd: number): KeyBlock | undefined {
  let start = index;
  while (index - start < bodyCharactersMax) {
    const from = Math.max(0, start - lineCharactersMax);
    const before = text.slice(from, start);
    const lineStart = before.lastIndexOf("\n", before.length - 2) + 1;
    if (!keyLineEnd.test(before.slice(lineStart))) break;
    start = from + lineStart;
  }
  return start === index ? undefined : { start, end: blockEnd };
}
