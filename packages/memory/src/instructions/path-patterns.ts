/** Whether a path is one that a rule is about, by patterns as git ignores files. Takes bounded time for any pattern. */

const patternCharactersMax = 500;
const alternativesMax = 64;

/** `path` is relative to the directory of the rule, with forward slashes. The last pattern that fits decides. */
export function matchesPatterns(path: string, patterns: readonly string[]): boolean {
  if (path === "" || path.startsWith("../")) return false;
  const steps = path.split("/");
  let isMatched = false;
  for (const pattern of patterns) {
    const isNegated = pattern.startsWith("!");
    if (isNegated !== isMatched) continue;
    if (alternativesOf(isNegated ? pattern.slice(1) : pattern).some((each) => fits(steps, each)))
      isMatched = !isNegated;
  }
  return isMatched;
}

/** Whether a pattern of a shell names the path itself, from its first step to its last. */
export function fitsWhole(path: string, pattern: string): boolean {
  const steps = path.split("/");
  return alternativesOf(pattern).some((each) => takenBy(steps, each.split("/")).has(steps.length));
}

/** A pattern with a slash in it starts at the directory of the rule; every other one fits at any depth. */
function fits(steps: readonly string[], pattern: string): boolean {
  const trimmed = pattern.replace(/^\.\//, "");
  const bare = trimmed.replace(/^\//, "").replace(/\/$/, "");
  if (bare === "") return false;
  const wanted = bare.split("/");
  if (!trimmed.slice(0, -1).includes("/")) wanted.unshift("**");
  return fitsSteps(steps, wanted);
}

/** What lies in a directory that fits, fits as well. */
function fitsSteps(steps: readonly string[], wanted: readonly string[]): boolean {
  return takenBy(steps, wanted).size > 0;
}

/** How many of the first steps the pattern can take. */
function takenBy(steps: readonly string[], wanted: readonly string[]): ReadonlySet<number> {
  let taken = new Set([0]);
  for (const [index, each] of wanted.entries()) {
    const next = new Set<number>();
    if (each === "**") {
      // From the fewest steps on, any number.
      const least = Math.min(...taken) + (index === wanted.length - 1 ? 1 : 0);
      for (let to = least; to <= steps.length; to += 1) next.add(to);
    } else {
      for (const count of taken) if (count < steps.length && fitsName(steps[count] ?? "", each)) next.add(count + 1);
    }
    taken = next;
  }
  return taken;
}

/** One star at a time: where a later part does not fit, the last star takes one character more. */
function fitsName(name: string, pattern: string): boolean {
  const tokens = pattern.match(/\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|./gsu) ?? [];
  const characters = [...name];
  let at = 0;
  let token = 0;
  let star: { readonly token: number; at: number } | undefined;
  while (at < characters.length) {
    const wanted = tokens[token];
    if (wanted?.startsWith("*")) {
      star = { token, at };
      token += 1;
    } else if (wanted !== undefined && fitsCharacter(characters[at] ?? "", wanted)) {
      at += 1;
      token += 1;
    } else if (star !== undefined) {
      star.at += 1;
      at = star.at;
      token = star.token + 1;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest.startsWith("*"));
}

function fitsCharacter(character: string, token: string): boolean {
  if (token === "?") return true;
  if (token.startsWith("[") && token.length > 2) return fitsSet(character, token);
  return character === (token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
}

function fitsSet(character: string, set: string): boolean {
  const isNegated = /^\[[!^]/.test(set);
  const members = [...set.slice(isNegated ? 2 : 1, -1)];
  let isIn = false;
  for (let index = 0; index < members.length; index += 1) {
    const [first = "", dash, last] = members.slice(index, index + 3);
    if (dash === "-" && last !== undefined) {
      if (character >= first && character <= last) isIn = true;
      index += 2;
    } else if (character === first) isIn = true;
  }
  return isIn !== isNegated;
}

/** `{a,b}` stands for each of its parts. */
function alternativesOf(pattern: string): readonly string[] {
  if (pattern.length > patternCharactersMax) return [];
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length <= alternativesMax) {
    const next: string[] = [];
    for (const each of open) {
      const found = /^([^{]*)\{([^{}]*)\}([\s\S]*)$/.exec(each);
      if (found === null) done.push(each);
      else for (const part of (found[2] ?? "").split(",")) next.push(`${found[1]}${part}${found[3]}`);
    }
    open = next;
  }
  return open.length > 0 ? [] : done;
}
