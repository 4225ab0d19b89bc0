/** Globs of permission rules: `*` and `?` over a whole string, in steps bounded by text length times pattern length. */

const star = 42;
const question = 63;

export type GlobOptions = {
  /** What `~` and `$HOME` at the start stand for; without it they are plain characters. */
  readonly home?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
};

const caseSensitive: GlobOptions = {};

/** A final space and star also matches nothing, so `git status *` covers `git status` and never `git statusx`. */
export function matchGlob(pattern: string, text: string, options: GlobOptions = caseSensitive): boolean {
  const glob = prepare(pattern, options);
  const subject = prepare(text, options);
  return matchWhole(glob, subject) || (glob.endsWith(" *") && matchWhole(glob.slice(0, -2), subject));
}

/**
 * Tries the glob on the rest of the text from every word start. What follows the first star can only fail more often
 * on a shorter rest, so the first place where the part before the star fits decides, and the search stays linear.
 */
export function matchGlobAtWords(pattern: string, text: string, options: GlobOptions = caseSensitive): boolean {
  if (pattern.startsWith("*")) return matchGlob(pattern, text, options);
  const glob = prepare(pattern, options);
  return (
    matchAtWords(glob, text) ||
    (glob.endsWith(" *") && matchAtWords(glob.slice(0, -2), text)) ||
    (glob !== pattern && matchAtWords(pattern, text))
  );
}

export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*") || pattern.includes("?");
}

/** The pattern for this text and no other; none where the text itself would be read as a pattern. */
export function exactly(text: string): readonly string[] {
  return hasWildcard(text) ? [] : [text];
}

function prepare(value: string, options: GlobOptions): string {
  const expanded = options.home === undefined ? value : expandHome(value, options.home);
  return options.ignoreCase === true ? expanded.toLowerCase() : expanded;
}

function expandHome(value: string, home: string): string {
  for (const name of ["~", "$HOME"]) {
    if (value.startsWith(name) && (value.length === name.length || value[name.length] === "/")) {
      return home + value.slice(name.length);
    }
  }
  return value;
}

/** Goes back only to the last star: an earlier one could not reach further. */
function matchWhole(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let lastStar = -1;
  let retry = 0;
  while (position < text.length) {
    const code = at < pattern.length ? pattern.charCodeAt(at) : -1;
    if (code === star) {
      lastStar = at++;
      retry = position;
    } else if (code === question) {
      at++;
      position += characterLength(text, position);
    } else if (code === text.charCodeAt(position)) {
      at++;
      position++;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      position = ++retry;
    } else {
      return false;
    }
  }
  while (at < pattern.length && pattern.charCodeAt(at) === star) at++;
  return at === pattern.length;
}

function matchAtWords(pattern: string, text: string): boolean {
  const firstStar = pattern.indexOf("*");
  const prefix = firstStar < 0 ? pattern : pattern.slice(0, firstStar);
  const firstQuestion = prefix.indexOf("?");
  // Found by the engine's own search, which leaps over most of the text.
  const head = firstQuestion < 0 ? prefix : prefix.slice(0, firstQuestion);
  for (let start = text.indexOf(head); start >= 0 && start < text.length; start = text.indexOf(head, start + 1)) {
    if (start > 0 && !endsWord(text.charAt(start - 1))) continue;
    const end = matchPrefix(prefix, text, start);
    if (end < 0) continue;
    if (firstStar >= 0) return matchWhole(pattern.slice(firstStar), text.slice(end));
    if (end === text.length) return true;
  }
  return false;
}

/** Where the prefix ends in the text, or -1. */
function matchPrefix(prefix: string, text: string, start: number): number {
  let position = start;
  for (let at = 0; at < prefix.length; at++) {
    if (position >= text.length) return -1;
    if (prefix.charCodeAt(at) === question) position += characterLength(text, position);
    else if (prefix.charCodeAt(at) === text.charCodeAt(position)) position++;
    else return -1;
  }
  return position;
}

function endsWord(character: string): boolean {
  return " \t\r\n;&|(){}<>`\"'$!".includes(character);
}

/** Two for a surrogate pair: `?` stands for what a person sees as one character. */
function characterLength(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}
