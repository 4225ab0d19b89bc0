/** Finds the simple commands and operators in a shell text, as far as mere text can tell. What a command would do is told by the shell analysis. */

export type ShellPart = {
  /** As written, with `()` in the place of commands within it, which are parts of their own. */
  readonly text: string;
  /** It reads what another command prints. */
  readonly readsPipe: boolean;
};

export type ShellOperator = {
  readonly operator: "&&" | "||" | "|" | "|&" | ";;" | ";" | "&" | "\n";
  readonly start: number;
  readonly end: number;
};

export type ShellSplit = {
  /** Also those in groups, loops and substitutions, innermost first. */
  readonly parts: readonly ShellPart[];
  /** Those outside of quotes and brackets. */
  readonly operators: readonly ShellOperator[];
  /** False where only a grammar can tell the pieces apart: substitutions, here-documents, groups, comments, open quotes. */
  readonly isPlain: boolean;
};

/** Longer ones carry texts for files; nobody profits from looking at each letter of them. */
const charactersMax = 10_000;
const depthMax = 20;
const plainPattern = /[A-Za-z_./=:,@%+*?~^!-]+/y;
const operatorPattern = /&&|\|\||\|&|\||;;|;|&(?!>)|\n/y;
const redirectionPattern = /&>>?|\d*(?:>>|>&|>\||<>|<&|>(?!\()|<(?![<(]))/y;
const hereDocumentPattern = /<<-?\s*(?:'([^']*)'|"([^"]*)"|\\?([^\s;&|<>()]+))/y;
const nestedPattern = /\$\(|[<>]\(|\(/y;

/** The whole text as one part where it is too long. */
export function splitShell(text: string): ShellSplit {
  if (text.length > charactersMax) {
    return { parts: [{ text: text.slice(0, charactersMax), readsPipe: false }], operators: [], isPlain: false };
  }
  const all: Split = { text, parts: [], operators: [], isPlain: true };
  scan(all, 0, 0);
  return all;
}

type Split = {
  readonly text: string;
  readonly parts: ShellPart[];
  readonly operators: ShellOperator[];
  isPlain: boolean;
};

/** Reads until the bracket that was opened before is closed; gives the place after it. */
function scan(all: Split, start: number, depth: number): number {
  const { text } = all;
  let outer = "";
  let readsPipe = false;
  let hereDocuments: string[] = [];
  let index = start;
  const flush = (): void => {
    if (!/^\s*(?:\(\)\s*)?$/.test(outer)) all.parts.push({ text: outer, readsPipe });
    outer = "";
  };
  const take = (end: number): void => {
    outer += text.slice(index, end);
    index = end;
  };
  while (index < text.length) {
    const plain = matchAt(plainPattern, text, index)?.[0];
    if (plain !== undefined) {
      take(index + plain.length);
      continue;
    }
    const character = text[index] ?? "";
    const isComment = character === "#" && (outer === "" || /\s$/.test(outer));
    const hereDocument = matchAt(hereDocumentPattern, text, index);
    const redirection = matchAt(redirectionPattern, text, index)?.[0];
    const nested = matchAt(nestedPattern, text, index)?.[0];
    const operator = matchAt(operatorPattern, text, index)?.[0];
    if (/[`()]/.test(character) || isComment || text.startsWith("<<", index) || isGroup(text, index))
      all.isPlain = false;
    if (character === ")" && depth > 0) {
      flush();
      return index + 1;
    }
    if (character === "\\") take(index + 2);
    else if (character === "'" || character === '"') take(quoteEnd(all, index, depth));
    else if (character === "`") {
      const end = text.indexOf("`", index + 1);
      if (end !== -1 && depth < depthMax) scan({ ...all, text: text.slice(index + 1, end) }, 0, depth + 1);
      outer += "()";
      index = end === -1 ? text.length : end + 1;
    } else if (isComment) {
      const end = text.indexOf("\n", index);
      index = end === -1 ? text.length : end;
    } else if (hereDocument !== undefined) {
      hereDocuments.push(hereDocument[1] ?? hereDocument[2] ?? hereDocument[3] ?? "");
      take(index + hereDocument[0].length);
    } else if (redirection !== undefined) take(index + redirection.length);
    else if (nested !== undefined && depth < depthMax) {
      all.isPlain = false;
      index = scan(all, index + nested.length, depth + 1);
      outer += "()";
    } else if (operator !== undefined) {
      flush();
      readsPipe = operator === "|" || operator === "|&";
      const end = index + operator.length;
      // The pattern matches nothing but the members of the union.
      if (depth === 0) all.operators.push({ operator: operator as ShellOperator["operator"], start: index, end });
      index = operator === "\n" ? skipBodies(text, end, hereDocuments) : end;
      if (operator === "\n") hereDocuments = [];
    } else take(index + 1);
  }
  flush();
  return index;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** Braces group commands only as words of their own. */
function isGroup(text: string, index: number): boolean {
  if (text[index] !== "{" && text[index] !== "}") return false;
  return /^[\s;&|]?$/.test(text[index - 1] ?? "") && /^(?:[\s;&|<>]|$)/.test(text.slice(index + 1, index + 2));
}

/** The place after the closing quote; commands inside of double quotes are found too. */
function quoteEnd(all: Split, start: number, depth: number): number {
  const { text } = all;
  const quote = text[start];
  for (let index = start + 1; index < text.length; ) {
    if (text[index] === quote) return index + 1;
    if (quote === '"' && /^(?:`|\$\()/.test(text.slice(index, index + 2))) all.isPlain = false;
    if (quote === '"' && text[index] === "\\") index += 2;
    else if (quote === '"' && text.startsWith("$(", index) && depth < depthMax) index = scan(all, index + 2, depth + 1);
    else index += 1;
  }
  all.isPlain = false;
  return text.length;
}

/** The place after the texts that belong to the line before. */
function skipBodies(text: string, start: number, delimiters: readonly string[]): number {
  let index = start;
  for (const delimiter of delimiters) {
    for (let isBody = true; isBody && index < text.length; ) {
      const end = text.indexOf("\n", index);
      const line = text.slice(index, end === -1 ? undefined : end);
      isBody = line.trimStart() !== delimiter;
      index = end === -1 ? text.length : end + 1;
    }
  }
  return index;
}
