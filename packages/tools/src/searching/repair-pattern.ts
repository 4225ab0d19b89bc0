/** Helps regular expressions that models write often and ripgrep refuses or reads too narrowly. */

type Token = { readonly text: string; readonly inClass: boolean };

/**
 * Escapes parentheses without a partner and braces that are no repetition, as in `foo(` and `interface{}`; undefined if
 * there are none.
 */
export function escapeUnbalanced(pattern: string): string | undefined {
  const tokens = tokenize(pattern);
  const escaped = new Set<number>();
  const open: number[] = [];
  for (const [index, { text, inClass }] of tokens.entries()) {
    if (inClass) continue;
    if (text === "(") open.push(index);
    else if (text === ")" && open.pop() === undefined) escaped.add(index);
    else if (text === "{" || text === "}") escaped.add(index);
  }
  for (const index of open) escaped.add(index);
  if (escaped.size === 0) return undefined;
  return tokens.map(({ text }, index) => (escaped.has(index) ? `\\${text}` : text)).join("");
}

/** True when a match may go over the end of a line. */
export function spansLines(pattern: string): boolean {
  return tokenize(pattern).some(({ text }) => text === "\n" || text === "\\n");
}

/** The ends of lines in a pattern also match those of Windows. */
export function matchAnyLineEnd(pattern: string): string {
  return tokenize(pattern)
    .map(({ text, inClass }, index, tokens) => {
      const isEnd = !inClass && (text === "\n" || text === "\\n");
      const before = tokens[index - 1]?.text;
      return !isEnd ? text : before === "\\r" || before === "\r" || before === "?" ? "\\n" : "(?:\\r?\\n)";
    })
    .join("");
}

/** A piece is an escape, a repetition such as `{2,}`, a named class such as `\p{L}`, or one character. */
const piece = /\\[pPxuU]\{[^}]*\}|\\[\s\S]|\{\d+(?:,\d*)?\}|[\s\S]/gu;

function tokenize(pattern: string): readonly Token[] {
  let depth = 0;
  let classStart = -1;
  return [...pattern.matchAll(piece)].map(([text], index) => {
    if (depth > 0) {
      // A closing bracket right at the beginning of a class is a member of it.
      if (text === "]" && index > classStart + 1) depth -= 1;
      else if (text === "[") depth += 1;
      else if (text === "^" && index === classStart + 1) classStart = index;
      return { text, inClass: true };
    }
    if (text === "[") {
      depth = 1;
      classStart = index;
    }
    return { text, inClass: text === "[" };
  });
}
