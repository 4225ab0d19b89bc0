/** Makes the text of an instruction file fit for a prompt: without comments, hidden characters, secrets and look-alikes. */
import { neutraliseInstruction } from "../fence/neutralise-text.ts";
import { type Frontmatter, splitFrontmatter } from "./frontmatter.ts";

export type PreparedText = Pick<Frontmatter, "patterns" | "problem"> & {
  /** Empty when nothing is left of the file. */
  readonly text: string;
  /** What includes are looked for in: as the author wrote it, but for comments. */
  readonly body: string;
  readonly cutCharacters: number;
  readonly removedCharacters: number;
};

export const charactersMax = 40_000;
const looksBehindCut = 3;
/** As editors of all times write it. */
const lineEnd = /\r\n?|[\u0085\u2028\u2029]/g;

export function prepareText(raw: string, redact: (text: string) => string, limit = charactersMax): PreparedText {
  const { body: whole, ...condition } = splitFrontmatter(raw.replaceAll(lineEnd, "\n").replace(/^\ufeff/, ""));
  const all = withoutComments(whole).trim();
  // What is far behind the cut is only counted: cleaning megabytes would hold up the session.
  const body = all.slice(0, limit * looksBehindCut);
  const text = neutraliseInstruction(body).trim();
  const removedCharacters = text === body ? 0 : Math.max(1, body.length - text.length);
  // Before the cut, so that no half of a secret is left.
  const clean = redact(text);
  const shown = clean.length <= limit ? clean : withoutHalfCharacter(clean.slice(0, limit));
  const cutCharacters = clean.length - shown.length + (all.length - body.length);
  return { ...condition, body, text: shown, removedCharacters, cutCharacters };
}

function withoutHalfCharacter(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** Comments in a block of code are part of it. One that is not closed ends with the text. */
export function withoutComments(text: string): string {
  if (!text.includes("<!--")) return text;
  let kept = "";
  let fence = "";
  let isComment = false;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = isComment ? undefined : /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === "") fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = "";
    if (fence !== "" || mark !== undefined) {
      kept += line;
      continue;
    }
    const left = withoutCommentsIn(line, isComment);
    isComment = left.isComment;
    // A line that held nothing but a comment leaves no empty one behind.
    if (left.text.trim() !== "" || line.trim() === "") kept += left.text;
  }
  return kept;
}

function withoutCommentsIn(line: string, isInside: boolean): { readonly text: string; readonly isComment: boolean } {
  let text = "";
  let rest = line;
  let isComment = isInside;
  for (;;) {
    const at = rest.indexOf(isComment ? "-->" : "<!--");
    if (at === -1) return { text: isComment ? text : text + rest, isComment };
    if (!isComment) text += rest.slice(0, at);
    rest = rest.slice(at + (isComment ? "-->".length : "<!--".length));
    isComment = !isComment;
  }
}
