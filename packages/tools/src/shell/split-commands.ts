/** Finds the simple commands in a shell text, also in groups, loops and substitutions, as far as mere text can tell. */

export type SubCommand = {
  /** One space between words, plain words without quotes; assignments, wrappers and the path of the program taken off. */
  readonly text: string;
  /** It reads what another command prints. */
  readonly readsPipe: boolean;
};

/** Longer ones carry texts for files; nobody profits from looking at each letter of them. */
const charactersMax = 10_000;
const depthMax = 20;
const operatorPattern = /&&|\|\||\|&|\||;;|;|&(?!>)|\n/y;
const redirectionPattern = /&>>?|\d*(?:>>|>&|>\||<>|<&|>(?!\()|<(?![<(]))/y;
const hereDocumentPattern = /<<-?\s*(?:'([^']*)'|"([^"]*)"|\\?([^\s;&|<>()]+))/y;
const nestedPattern = /\$\(|[<>]\(|\(/y;

/** The whole text as one command where it cannot be parted. */
export function splitCommands(command: string): readonly SubCommand[] {
  if (command.length > charactersMax) return [{ text: canonical(command.slice(0, charactersMax)), readsPipe: false }];
  const found: SubCommand[] = [];
  scan({ text: command, found }, 0, 0);
  return found;
}

type Scan = { readonly text: string; readonly found: SubCommand[] };

/** Reads until the bracket that was opened before is closed; gives the place after it. */
function scan(all: Scan, start: number, depth: number): number {
  const { text, found } = all;
  let outer = "";
  let readsPipe = false;
  let hereDocuments: string[] = [];
  let index = start;
  const flush = (): void => {
    const own = canonical(outer);
    if (own !== "" && own !== "()") found.push({ text: own, readsPipe });
    outer = "";
  };
  while (index < text.length) {
    const character = text[index] ?? "";
    const operator = matchAt(operatorPattern, text, index)?.[0];
    const hereDocument = matchAt(hereDocumentPattern, text, index);
    const redirection = matchAt(redirectionPattern, text, index)?.[0];
    const nested = matchAt(nestedPattern, text, index)?.[0];
    if (character === ")" && depth > 0) {
      flush();
      return index + 1;
    }
    if (character === "\\") {
      outer += text.slice(index, index + 2);
      index += 2;
    } else if (character === "'" || character === '"') {
      const end = quoteEnd(all, index, depth);
      outer += text.slice(index, end);
      index = end;
    } else if (character === "`") {
      const end = text.indexOf("`", index + 1);
      if (end !== -1 && depth < depthMax) scan({ text: text.slice(index + 1, end), found }, 0, depth + 1);
      outer += "()";
      index = end === -1 ? text.length : end + 1;
    } else if (character === "#" && (outer === "" || /\s$/.test(outer))) {
      const end = text.indexOf("\n", index);
      index = end === -1 ? text.length : end;
    } else if (hereDocument !== undefined) {
      hereDocuments.push(hereDocument[1] ?? hereDocument[2] ?? hereDocument[3] ?? "");
      outer += hereDocument[0];
      index += hereDocument[0].length;
    } else if (redirection !== undefined) {
      outer += redirection;
      index += redirection.length;
    } else if (nested !== undefined && depth < depthMax) {
      index = scan(all, index + nested.length, depth + 1);
      outer += "()";
    } else if (operator !== undefined) {
      flush();
      readsPipe = operator === "|" || operator === "|&";
      index += operator.length;
      if (operator === "\n") index = skipBodies(text, index, hereDocuments);
      if (operator === "\n") hereDocuments = [];
    } else {
      outer += character;
      index += 1;
    }
  }
  flush();
  return index;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** The place after the closing quote; commands inside of double quotes are found too. */
function quoteEnd(all: Scan, start: number, depth: number): number {
  const { text } = all;
  const quote = text[start];
  for (let index = start + 1; index < text.length; ) {
    if (text[index] === quote) return index + 1;
    if (quote === '"' && text[index] === "\\") index += 2;
    else if (quote === '"' && text.startsWith("$(", index) && depth < depthMax) index = scan(all, index + 2, depth + 1);
    else index += 1;
  }
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

const quotedOrSpace = /'[^']*'|"(?:[^"\\]|\\.)*"|\s+/gs;
const plainWord = /^.[\w./:@%+,=-]+.$/;
const keywords = /^(?:(?:if|then|else|elif|while|until|do|time|!|\{)\s+)+/;
const assignments = /^(?:\w+=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+/;
const wrappers =
  /^(?:(?:command|builtin|exec|nohup|sudo|env|time|npx|bunx|nice(?:\s+-n\s*-?\d+)?|timeout\s+[\d.]+[smhd]?|stdbuf\s+-\S+|xargs)\s+)(?!-)/;

function canonical(raw: string): string {
  const plain = raw.trim().replaceAll(quotedOrSpace, (piece) => {
    if (/^\s/.test(piece)) return " ";
    return plainWord.test(piece) ? piece.slice(1, -1) : piece;
  });
  let text = plain.replace(keywords, "");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(assignments, "").replace(wrappers, "");
  }
  return text.replace(/\s*\}$/, "").replace(/^\S*\/(?=[\w.-]+(?:\s|$))/, "");
}
