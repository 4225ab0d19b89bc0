/** Reads the relaxed form of JSON that people and models write: comments, bare names, single quotes, final commas. */

const tokenPattern =
  /(?<blank>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<quoted>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|(?<number>[-+]?(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))(?![\w$.])|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<sign>[{}[\]:,])/uy;

const literals: readonly string[] = ["true", "false", "null"];

/** Undefined when it is nothing of that kind. Numbers that would lose digits come as strings. */
export function parseJson5(text: string): unknown {
  const json = toJson(text);
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The same value in strict JSON, token by token; what does not fit together is left for the parser to refuse. */
function toJson(text: string): string | undefined {
  const tokens: string[] = [];
  const token = new RegExp(tokenPattern);
  for (let end = 0; end < text.length; end = token.lastIndex) {
    token.lastIndex = end;
    const groups = token.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const { quoted, number, word, sign } = groups;
    if (quoted !== undefined) tokens.push(JSON.stringify(unquote(quoted)));
    else if (number !== undefined) tokens.push(plainNumber(number));
    else if (word !== undefined) tokens.push(word);
    else if (sign !== undefined) {
      if ((sign === "}" || sign === "]") && tokens.at(-1) === ",") tokens.pop();
      const name = tokens.at(-1);
      if (sign === ":" && name !== undefined && /^[\p{L}_$]/u.test(name))
        tokens[tokens.length - 1] = JSON.stringify(name);
      tokens.push(sign);
    }
  }
  const isKnown = (part: string) => !/^[\p{L}_$]/u.test(part) || literals.includes(part);
  return tokens.every(isKnown) ? tokens.join(" ") : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", 0: "\0" };

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r?\n)|([\s\S]))/g, (...match) => {
    const [, wide, narrow, lineBreak, single] = match as readonly (string | undefined)[];
    const code = wide ?? narrow;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (lineBreak !== undefined || single === undefined) return "";
    return escapes[single] ?? single;
  });
}

/** A database turns the digits of a string into a whole number where a column wants one, without a loss. */
function plainNumber(text: string): string {
  const digits = text.replace(/^\+/, "");
  const value = Number(digits.replace(/^-(?=0x)/i, "")) * (/^-0x/i.test(digits) ? -1 : 1);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits)) return JSON.stringify(digits);
  // What has no end is a word that is not known.
  return Number.isFinite(value) ? JSON.stringify(value) : String(Math.abs(value));
}
