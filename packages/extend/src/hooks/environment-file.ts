/**
 * Reads what a hook left for later commands in the file of CLAUDE_ENV_FILE: assignments, as a shell writes them.
 *
 * Nothing of it runs: a value may name variables that are known, and one that only a shell could tell is refused.
 */

export type LeftVariables = {
  readonly variables: ReadonlyMap<string, string>;
  /** Lines that cannot be used, as written. */
  readonly refused: readonly string[];
};

type Known = { readonly [name: string]: string | undefined };

const assignment = /^(?:export\s+|declare\s+-x\s+)?([A-Za-z_]\w*)=(.*)$/s;
/** A text in single quotes, one in double quotes, or bare characters. */
const piece = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s'"\\;#]|\\[\s\S])+)/y;

export function readEnvironmentText(text: string, known: Known): LeftVariables {
  const variables = new Map<string, string>();
  const refused: string[] = [];
  for (const line of linesOf(text)) {
    const [, name, written] = assignment.exec(line) ?? [];
    const lookUp = (other: string) => variables.get(other) ?? known[other] ?? "";
    const value = name === undefined || written === undefined ? undefined : assignedText(written, lookUp);
    if (name === undefined || value === undefined) refused.push(line);
    else variables.set(name, value);
  }
  return { variables, refused };
}

/** A quoted value may have several lines. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let open = "";
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const whole = open === "" ? line : `${open}\n${line}`;
    open = hasOpenQuote(whole) ? whole : "";
    if (open === "" && whole.trim() !== "" && !whole.trimStart().startsWith("#")) lines.push(whole.trim());
  }
  return open === "" ? lines : [...lines, open];
}

function hasOpenQuote(text: string): boolean {
  return /['"]/.test(text.replaceAll(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, ""));
}

/** Undefined where only a shell could tell. */
function assignedText(written: string, lookUp: (name: string) => string): string | undefined {
  let value = "";
  let end = 0;
  piece.lastIndex = 0;
  for (let found = piece.exec(written); found !== null; found = piece.exec(written)) {
    const [whole, single, double, bare] = found;
    end = found.index + whole.length;
    const filled = single ?? expanded(double ?? bare ?? "", lookUp);
    if (filled === undefined) return undefined;
    value += filled;
  }
  return /^\s*;?\s*(?:#.*)?$/.test(written.slice(end)) ? value : undefined;
}

function expanded(text: string, lookUp: (name: string) => string): string | undefined {
  if (/(?<!\\)(?:`|\$\(|\$\{\w+[^\w}])/.test(text)) return undefined;
  return text.replaceAll(/\\([\s\S])|\$\{?(\w+)\}?/g, (_, escaped: string | undefined, name: string) =>
    escaped === undefined ? lookUp(name) : escaped,
  );
}
