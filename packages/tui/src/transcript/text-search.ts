/** The search in a long text: what is typed behind the slash, and the line that it was found in. */

import { cleanLine, cleanText } from "../screen/clean-text.ts";
import type { Key } from "../screen/input.ts";
import { pagerTexts } from "../texts/conversation.ts";

export interface TextSearch {
  begin(): true;
  /** Undefined while nothing is typed. */
  typed(): string | undefined;
  /** `enter` when what was typed is to be found. */
  type(key: Key): "enter" | "typed";
  paste(text: string): void;
  /** The line of the next match after the last one, and around; at first from the line in sight on. */
  next(direction: 1 | -1, lineInSight: number): number | undefined;
  /** The line of the last match. */
  match(): number | undefined;
  problems(): readonly string[];
}

export function createTextSearch(lines: readonly string[]): TextSearch {
  let typing: string | undefined;
  let query = "";
  let matchLine: number | undefined;
  let isNothingFound = false;

  return {
    begin() {
      typing = "";
      return true;
    },
    typed: () => typing,
    type(key) {
      const typed = typing ?? "";
      switch (key.name) {
        case "escape":
          typing = undefined;
          return "typed";
        case "enter":
          typing = undefined;
          query = typed;
          matchLine = undefined;
          return "enter";
        case "backspace":
          typing = typed === "" ? undefined : [...typed].slice(0, -1).join("");
          return "typed";
        default:
          if (key.text !== undefined && !key.ctrl && !key.alt) typing = typed + cleanText(key.text);
          return "typed";
      }
    },
    paste(text) {
      if (typing !== undefined) typing += cleanLine(text);
    },
    next(direction, lineInSight) {
      const wanted = query.toLowerCase();
      if (wanted === "") return undefined;
      const start = matchLine ?? lineInSight - direction;
      isNothingFound = true;
      for (let step = 1; step <= lines.length; step += 1) {
        const line = (((start + direction * step) % lines.length) + lines.length) % lines.length;
        // Our own styles are no part of the text.
        const text = cleanText(lines[line] ?? "").toLowerCase();
        if (!text.includes(wanted)) continue;
        matchLine = line;
        isNothingFound = false;
        return line;
      }
      return undefined;
    },
    match: () => matchLine,
    problems: () => (isNothingFound ? [pagerTexts.noMatches(query)] : []),
  };
}
