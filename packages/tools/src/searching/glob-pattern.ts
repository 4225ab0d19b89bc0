/** Understands glob patterns: where the search begins, and which paths below it match. */

export type GlobPattern = {
  /** The leading part without wildcards, such as `src/app`; empty when there is none. */
  readonly base: string;
  /** Tests a path relative to the base, with forward slashes. */
  readonly matches: (path: string) => boolean;
  /** What the name of a file must match at least; only where ripgrep reads the glob as this file does. */
  readonly nameGlob?: string;
  /** How many levels below the base a match lies; undefined if it may lie at any depth. */
  readonly depth?: number;
};

const wildcard = /[*?[{]/;

/** Without `?` and classes: ripgrep takes them for one byte, this file for one character. */
const plainName = /^(?:[\w.+@~%= *-]|\{[\w.+*-]+(?:,[\w.+*-]+)*\})+$/;

export function hasWildcard(pattern: string): boolean {
  return wildcard.test(pattern);
}

/**
 * A wildcard in the first segment makes the pattern match at every depth; further down its base is kept. So many
 * segments as are said to be literal belong to the base whatever they look like.
 */
export function parseGlob(pattern: string, literalSegments = 0): GlobPattern {
  const segments = splitOutsideBraces(pattern.replace(/^(?:\.\/)+/, ""), "/");
  const isWild = (segment: string, index: number) => index >= literalSegments && hasWildcard(segment);
  const firstWild = Math.max(0, segments.findIndex(isWild));
  const base = segments.slice(0, firstWild).join("/") || (firstWild > 0 ? "/" : "");
  const rest = segments.slice(firstWild);
  if (firstWild === 0 && rest[0] !== "**") rest.unshift("**");
  if (rest.at(-1) === "**") rest.push("*");
  const expression = new RegExp(`^${rest.map(segmentSource).join("")}$`, "u");
  const name = rest.at(-1) ?? "";
  const fixedDepth = rest.every((segment) => segment !== "**" && !segment.includes("/"));
  return {
    base,
    matches: (path) => expression.test(path),
    ...(name !== "*" && plainName.test(name) && { nameGlob: name }),
    ...(fixedDepth && { depth: rest.length }),
  };
}

/** Splits at any of the separators, but not where they stand between braces or brackets. */
export function splitOutsideBraces(text: string, separators: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const closing = closingOf(text, index);
    if (closing !== undefined) index = closing;
    else if (separators.includes(text.charAt(index))) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/** Where the brace or bracket that opens here is closed; undefined if none opens or it is never closed. */
function closingOf(text: string, index: number): number | undefined {
  if (text[index] === "[") {
    const end = text.indexOf("]", index + 2);
    return end === -1 || text.slice(index, end).includes("/") ? undefined : end;
  }
  if (text[index] !== "{") return undefined;
  let depth = 0;
  for (let end = index; end < text.length; end++) {
    if (text[end] === "{") depth += 1;
    else if (text[end] === "}" && --depth === 0) return end;
  }
  return undefined;
}

function segmentSource(segment: string, index: number, segments: readonly string[]): string {
  if (segment === "**") return segments[index - 1] === "**" ? "" : "(?:[^/]+/)*";
  const slash = index === segments.length - 1 ? "" : "/";
  return translate(segment) + slash;
}

/** One path segment as a regular expression; an opening bracket without its end stands for itself. */
function translate(segment: string): string {
  let source = "";
  let depth = 0;
  for (let index = 0; index < segment.length; index++) {
    const character = segment.charAt(index);
    if (character === "*") source += segment[index - 1] === "*" ? "" : "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "{" && closingOf(segment, index) !== undefined) {
      source += "(?:";
      depth += 1;
    } else if (character === "}" && depth > 0) {
      source += ")";
      depth -= 1;
    } else if (character === "," && depth > 0) source += "|";
    else if (character === "[" && closingOf(segment, index) !== undefined) {
      const end = segment.indexOf("]", index + 2);
      source += characterClass(segment.slice(index + 1, end));
      index = end;
    } else source += quote(character);
  }
  return source;
}

function characterClass(members: string): string {
  const negated = members.startsWith("!") || members.startsWith("^");
  const listed = (negated ? members.slice(1) : members)
    // A range that runs backwards holds nothing; as a regular expression it would be an error.
    .replaceAll(/(.)-(.)/gu, (range, first: string, last: string) => (first > last ? "" : range))
    .replaceAll(/[\\\]^[]/g, "\\$&");
  if (negated) return `[^/${listed}]`;
  return listed === "" ? "(?!)" : `[${listed}]`;
}

function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
