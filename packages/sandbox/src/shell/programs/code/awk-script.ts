/** Finds what an awk program runs, writes, reads or loads. */

export type AwkDeeds = {
  /** Undefined where the name is computed. */
  readonly writes: readonly (string | undefined)[];
  readonly reads: readonly (string | undefined)[];
  readonly runs: readonly (string | undefined)[];
  readonly loads: boolean;
  /** It was read as awk reads it. */
  readonly isClear: boolean;
};

type Token = { readonly kind: "word" | "string" | "regex" | "mark"; readonly text: string };

const tokenPattern =
  /(?<space>[ \t\r]+|\\\n|#[^\n]*)|(?<string>"(?:[^"\\\n]|\\[\s\S])*"?)|(?<word>[A-Za-z_]\w*|\d+\.?\d*|\$)|(?<mark>\|\||\|&|>>|>=|&&|[\s\S])/y;

export function readAwkScript(text: string): AwkDeeds {
  const { tokens, isClear } = readTokens(text);
  const deeds = {
    writes: [] as (string | undefined)[],
    reads: [] as (string | undefined)[],
    runs: [] as (string | undefined)[],
  };
  let loads = false;
  let depth = 0;
  let printDepth: number | undefined;
  tokens.forEach((token, index) => {
    const { kind, text: mark } = token;
    if (kind === "word" && (mark === "print" || mark === "printf")) printDepth = depth;
    else if (kind === "word" && mark === "system") deeds.runs.push(stringBetween(tokens, index + 1));
    else if (kind === "word" && mark === "getline") addGetline(tokens, index, deeds.reads);
    // The program changes which files it is given.
    else if (kind === "word" && /^ARG[CV]$/.test(mark)) deeds.reads.push(undefined);
    if (kind !== "mark") return;
    if (mark === "(" || mark === "[" || mark === "{") depth += 1;
    else if (mark === ")" || mark === "]" || mark === "}") depth -= 1;
    if (mark === ";" || mark === "\n" || mark === "}") printDepth = undefined;
    if (mark === "@") loads = true;
    if (mark === "|" || mark === "|&") deeds.runs.push(pipeText(tokens, index));
    if ((mark === ">" || mark === ">>") && printDepth === depth) deeds.writes.push(lastString(tokens, index + 1));
  });
  return { ...deeds, loads, isClear };
}

function readTokens(text: string): { readonly tokens: readonly Token[]; readonly isClear: boolean } {
  const tokens: Token[] = [];
  const pattern = new RegExp(tokenPattern);
  let isClear = true;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    if (text[at] === "/") {
      const regex = /\/(?:[^/\\\n[]|\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|[^\]\\\n]|\\[\s\S])*\])*\//y;
      regex.lastIndex = at;
      const isRegex = regex.test(text);
      // After these a slash divides or begins a pattern; up to the last slash, strings and comments may end elsewhere.
      const disputed = isUnclear(tokens.at(-1)) ? text.slice(at + 1, text.lastIndexOf("/")) : "";
      if (isRegex && /["#(){}[\];\\]/.test(disputed)) isClear = false;
      if (isRegex && startsRegex(tokens.at(-1))) {
        tokens.push({ kind: "regex", text: text.slice(at, regex.lastIndex) });
        pattern.lastIndex = regex.lastIndex;
        continue;
      }
    }
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) break;
    if (groups["string"] !== undefined) tokens.push({ kind: "string", text: groups["string"].replace(/^"|"$/g, "") });
    else if (groups["word"] !== undefined) tokens.push({ kind: "word", text: groups["word"] });
    else if (groups["mark"] !== undefined) tokens.push({ kind: "mark", text: groups["mark"] });
  }
  return { tokens, isClear };
}

const keywords =
  /^(BEGIN|END|break|case|continue|default|delete|do|else|exit|for|func|function|getline|if|in|length|next|nextfile|return|switch|while)$/;

/**
 * The end of a condition looks like the end of a value, and `x++` like the beginning of a sum; after a pattern and
 * after a word of the language, programs differ.
 */
function isUnclear(before: Token | undefined): boolean {
  if (before?.kind === "word") return keywords.test(before.text);
  return before?.kind === "regex" || (before?.kind === "mark" && /^[)+-]$/.test(before.text));
}

/** After a value a slash divides. */
function startsRegex(before: Token | undefined): boolean {
  if (before === undefined || before.kind === "regex") return true;
  if (before.kind === "string") return false;
  if (before.kind === "word") return /^(print|printf|return|in|getline)$/.test(before.text);
  return before.text !== ")" && before.text !== "]";
}

function stringBetween(tokens: readonly Token[], open: number): string | undefined {
  const [bracket, value, end] = tokens.slice(open, open + 3);
  return bracket?.text === "(" && value?.kind === "string" && end?.text === ")" ? value.text : undefined;
}

function pipeText(tokens: readonly Token[], at: number): string | undefined {
  const before = tokens[at - 1];
  if (tokens[at + 1]?.text === "getline") return before?.kind === "string" ? before.text : undefined;
  return lastString(tokens, at + 1);
}

/** A string that ends its statement; anything after it would be joined to it. */
function lastString(tokens: readonly Token[], at: number): string | undefined {
  const value = tokens[at];
  const after = tokens[at + 1];
  const ends = after === undefined || /^[;}\n)]$/.test(after.text);
  return value?.kind === "string" && ends ? value.text : undefined;
}

function addGetline(tokens: readonly Token[], at: number, reads: (string | undefined)[]): void {
  for (let index = at + 1; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || /^[;}\n)]$/.test(token.text)) return;
    if (token.kind === "mark" && token.text === "<") {
      reads.push(lastString(tokens, index + 1));
      return;
    }
  }
}
