/** Finds lines that stand for code which was never written out: writing them would delete what they stand for. */

const ellipsis = String.raw`(?:\.{3,}|…)`;
const subject =
  "(?:code|file|methods?|functions?|class|component|content|contents|implementation|imports?|logic|lines|tests?|body|properties|fields|cases|styles|rules|config(?:uration)?|JSX|markup|elements|statements|entries|items|options|variables|columns|routes|handlers|sections)";
const left = "(?:keep )?(?:all )?(?:the )?(?:rest of|remaining|existing|previous|other|same|original|unchanged)";
const state =
  "(?:(?:stays?|remains?|is|are|as)? ?(?:the same|same as (?:above|before)|no changes?|unchanged|as (?:is|before)|omitted|truncated|here|goes here|continues)(?: for brevity| here)?)";

const article = "(?:the |this |your )?";
const named = `(?:of )?${article}(?:[\\w-]+ )?${subject}`;

/**
 * `… existing code …`, `rest of the methods`, `other functions remain unchanged`: the whole comment and nothing else.
 * Without an ellipsis only what says so plainly counts: "other methods" alone is a heading.
 */
const words = new RegExp(
  `^(?:${ellipsis} ?(?:${left} ?)?(?:${named})?(?: ${state})?|(?:the )?rest ${named}(?: ${state})?|${left} ${named} ${state}|(?:${named} )?(?:omitted|elided|truncated) for brevity) ?${ellipsis}?$`,
  "iu",
);
const openers = /^(?:\/\/+|#+|--|;+|%+|\/\*+|<!--|\{\/\*|""")\s*/;
const closers = /\s*(?:\*\/\}?|-->|""")$/;

/** The first such line of a text, unless one of the known texts has it too; undefined where every line is written out. */
export function findPlaceholder(text: string, ...known: readonly string[]): string | undefined {
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (!isPlaceholder(trimmed)) continue;
    if (!known.some((other) => other.includes(trimmed))) return trimmed;
  }
  return undefined;
}

function isPlaceholder(line: string): boolean {
  if (!openers.test(line)) return false;
  let comment = line.replace(openers, "").replace(closers, "");
  // Some or all of the words may be in brackets.
  comment = comment
    .replaceAll(/[()[\],]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  comment = comment.replaceAll(/[.!]+$/g, (dots) => (dots.length > 1 ? "..." : ""));
  return comment !== "" && words.test(comment) && /[A-Za-z]/.test(comment);
}

export function describePlaceholder(filePath: string, placeholder: string): string {
  return `"${placeholder}" stands for code that is not written out; writing it would delete that code from ${filePath}. Write out all lines, or replace only the lines that change.`;
}
