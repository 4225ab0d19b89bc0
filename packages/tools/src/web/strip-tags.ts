/** Takes the words out of HTML without a tree, for pages that are too large or too strange to be parsed in time. */

/** The time of what comes after grows faster than the number of tags and references: 40,000 took 0.6 s, 80,000 took 4. */
const marksMax = 50_000;
/** 80,000 levels keep the parser busy for longer than anyone waits; 1,000 take 0.2 s. */
const levelsMax = 1_000;
/** Elements whose end is often left out; the next one of the same name ends them. */
const selfEnding = new Set(["p", "li", "dt", "dd", "tr", "td", "th", "option", "tbody", "thead"]);
const empty = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"]);

export function isParseable(html: string): boolean {
  let marks = 0;
  const open: string[] = [];
  for (const [mark, end, found] of html.matchAll(/[<&](\/?)([a-z][a-z\d]{0,15})?/gi)) {
    marks += 1;
    if (marks > marksMax || open.length > levelsMax) return false;
    if (found === undefined || !mark.startsWith("<")) continue;
    const name = found.toLowerCase();
    if (end === "/") close(open, name);
    else if (!empty.has(name) && !(selfEnding.has(name) && open.at(-1) === name)) open.push(name);
  }
  return open.length <= levelsMax;
}

const searchedLevelsMax = 50;

/** An end without a beginning nearby is ignored, as parsers do. */
function close(open: string[], name: string): void {
  const nearest = open.slice(-searchedLevelsMax).lastIndexOf(name);
  if (nearest !== -1) open.length = Math.max(0, open.length - searchedLevelsMax) + nearest;
}

/** Each character is looked at a bounded number of times, whatever the page consists of. */
export function stripTags(html: string): string {
  const pieces: string[] = [];
  let index = 0;
  while (index < html.length) {
    const tag = html.indexOf("<", index);
    pieces.push(html.slice(index, tag === -1 ? undefined : tag));
    if (tag === -1) break;
    const after = endOfTag(html, tag);
    // An end that never comes: nothing behind it is certain to be text.
    if (after === -1) break;
    pieces.push("\n");
    index = after;
  }
  return pieces
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

function endOfTag(html: string, tag: number): number {
  const silent = /^<(script|style|noscript|template)\b/i.exec(html.slice(tag, tag + 10))?.[1]?.toLowerCase();
  const end = silent === undefined ? (html.startsWith("<!--", tag) ? "-->" : ">") : `</${silent}>`;
  const found = html.indexOf(end, tag);
  return found === -1 ? -1 : found + end.length;
}
