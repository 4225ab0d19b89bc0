/** Reads the input of a call that the model may still be writing. */
import { parseCallInput } from "../json/json.ts";

export type ShownInput = { readonly [name: string]: unknown };

/** An unfinished input is read again with every piece that arrives; what names the call stands at its beginning. */
const partialCharactersMax = 4_000;

/** What can be understood of it; nothing where that is nothing. Never throws. */
export function readInput(text: string): ShownInput {
  if (text.trim() === "") return {};
  return parseCallInput(text) ?? readUnfinished(text.slice(0, partialCharactersMax)) ?? {};
}

/** For what is known to be unfinished. */
export function readPartialInput(text: string): ShownInput {
  if (text.length <= partialCharactersMax) return readInput(text);
  return readUnfinished(text.slice(0, partialCharactersMax)) ?? {};
}

/** Closes what is open; where that gives no JSON, what comes after the last whole member is left out. */
function readUnfinished(text: string): ShownInput | undefined {
  const open: string[] = [];
  let inString = false;
  let whole: { readonly end: number; readonly closers: string } | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === "{" || character === "[") open.push(character === "{" ? "}" : "]");
    else if (character === "}" || character === "]") open.pop();
    else if (character !== ",") continue;
    if (character === ",") whole = { end: at, closers: open.toReversed().join("") };
  }
  const closers = open.toReversed().join("");
  const closed = inString ? `${withoutHalfEscape(text)}"${closers}` : text + closers;
  return parseCallInput(closed) ?? (whole && parseCallInput(text.slice(0, whole.end) + whole.closers));
}

function withoutHalfEscape(text: string): string {
  const backslashes = /\\*$/.exec(text)?.[0].length ?? 0;
  if (backslashes % 2 === 1) return text.slice(0, -1);
  return text.replace(/(?<!\\)((?:\\\\)*)\\u[0-9a-fA-F]{0,3}$/, "$1");
}
