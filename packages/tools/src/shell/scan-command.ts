/** Finds the operators of a shell command that stand outside of quotes, as far as mere text can tell. */

export type Operator = "&&" | "||" | "|" | "|&" | ";" | "&" | "\n";

export type FoundOperator = { readonly operator: Operator; readonly start: number; readonly end: number };

/** Longer ones carry texts for files; nobody profits from looking at each letter of them. */
const commandCharactersMax = 10_000;
const operatorPattern = /&&|\|\||\|&|\||;|&|\n/y;
const redirection = /\d*(?:>>|>&|&>>|&>|>\||<>|<&|>|<)/y;

/**
 * Undefined for texts with pieces that only a grammar can tell apart: substitutions, here-documents, groups, comments
 * and quotes that are left open.
 */
export function findOperators(command: string): readonly FoundOperator[] | undefined {
  if (command.length > commandCharactersMax) return undefined;
  const found: FoundOperator[] = [];
  for (let index = 0; index < command.length; ) {
    const character = command[index];
    if (character === "\\") {
      index += 2;
      continue;
    }
    if (character === "'" || character === '"') {
      const end = closingQuote(command, index);
      if (end === undefined) return undefined;
      index = end + 1;
      continue;
    }
    if (character === "`" || character === "(" || character === ")" || isGroup(command, index)) return undefined;
    if (command.startsWith("<<", index) || (character === "#" && isWordStart(command, index))) return undefined;
    const skipped = matchAt(redirection, command, index);
    if (skipped !== undefined) {
      index += skipped.length;
      continue;
    }
    const operator = matchAt(operatorPattern, command, index);
    // The pattern matches nothing but the members of the union.
    if (operator !== undefined)
      found.push({ operator: operator as Operator, start: index, end: index + operator.length });
    index += operator?.length ?? 1;
  }
  return found;
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}

/** Braces group commands only as words of their own. */
function isGroup(text: string, index: number): boolean {
  const isBrace = text[index] === "{" || text[index] === "}";
  return isBrace && isWordStart(text, index) && /^(?:[\s;&|<>]|$)/.test(text.slice(index + 1, index + 2));
}

function isWordStart(text: string, index: number): boolean {
  return index === 0 || /[\s;&|]/.test(text[index - 1] ?? "");
}

/** Undefined for quotes that stay open or hold a substitution, whose own quotes would have to be read too. */
function closingQuote(command: string, start: number): number | undefined {
  const quote = command[start];
  for (let index = start + 1; index < command.length; index++) {
    const character = command[index];
    if (character === quote) return index;
    if (quote === "'") continue;
    if (character === "\\") index += 1;
    else if (character === "`" || (character === "$" && command[index + 1] === "(")) return undefined;
  }
  return undefined;
}
