/** Understands glob patterns: where the search begins, and which paths below it match. */

export type GlobPattern = {
  /** The leading part without wildcards, such as `src/app`; empty when there is none. */
  readonly base: string;
  /** Tests a path relative to the base, with forward slashes. */
  readonly matches: (path: string) => boolean;
};

const wildcard = /[*?[{]/;

export function hasWildcard(pattern: string): boolean {
  return wildcard.test(pattern);
}

/** A wildcard in the first segment makes the pattern match at every depth; further down its base is kept. */
export function parseGlob(pattern: string): GlobPattern {
  const segments = pattern.replace(/^(?:\.\/)+/, "").split("/");
  const firstWild = Math.max(0, segments.findIndex(hasWildcard));
  const base = segments.slice(0, firstWild).join("/") || (firstWild > 0 ? "/" : "");
  const rest = segments.slice(firstWild);
  if (firstWild === 0 && rest[0] !== "**") rest.unshift("**");
  if (rest.at(-1) === "**") rest.push("*");
  const expression = new RegExp(`^${rest.map(segmentSource).join("")}$`, "u");
  return { base, matches: (path) => expression.test(path) };
}

function segmentSource(segment: string, index: number, segments: readonly string[]): string {
  if (segment === "**") return "(?:[^/]+/)*";
  const slash = index === segments.length - 1 ? "" : "/";
  return translate(segment) + slash;
}

/** One path segment as a regular expression; an opening bracket without its end stands for itself. */
function translate(segment: string): string {
  let source = "";
  let depth = 0;
  for (let index = 0; index < segment.length; index++) {
    const character = segment.charAt(index);
    if (character === "*") source += "[^/]*";
    else if (character === "?") source += "[^/]";
    else if (character === "\\" && index + 1 < segment.length) source += quote(segment.charAt(++index));
    else if (character === "{" && segment.includes("}", index)) {
      source += "(?:";
      depth += 1;
    } else if (character === "}" && depth > 0) {
      source += ")";
      depth -= 1;
    } else if (character === "," && depth > 0) source += "|";
    else if (character === "[" && segment.indexOf("]", index + 2) !== -1) {
      const end = segment.indexOf("]", index + 2);
      source += characterClass(segment.slice(index + 1, end));
      index = end;
    } else source += quote(character);
  }
  return source + ")".repeat(depth);
}

function characterClass(members: string): string {
  const negated = members.startsWith("!") || members.startsWith("^");
  const listed = (negated ? members.slice(1) : members).replaceAll(/[\\\]^[]/g, "\\$&");
  return negated ? `[^/${listed}]` : `[${listed}]`;
}

function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
