/** Drops the commas that models leave before a closing bracket, and tells a text that was cut off from one that is wrong. */
import type { Json } from "@kedge/protocol";

export type Repaired =
  | { readonly outcome: "repaired"; readonly value: Json }
  /** A string, array or object has no end. Nobody knows what it would have said, so it is never supplied. */
  | { readonly outcome: "cut-off" }
  | { readonly outcome: "invalid" };

/** For a text that is no JSON as it stands. Nothing that stands in a string is changed. */
export function repairJson(text: string): Repaired {
  const { isOpen, strayCommas } = scan(text);
  if (isOpen) return { outcome: "cut-off" };
  try {
    return { outcome: "repaired", value: JSON.parse(without(text, strayCommas)) };
  } catch (error) {
    if (error instanceof SyntaxError) return { outcome: "invalid" };
    throw error;
  }
}

type Scan = { readonly isOpen: boolean; readonly strayCommas: readonly number[] };

/** One pass, whatever the text holds: a hostile one may be long. */
function scan(text: string): Scan {
  const strayCommas: number[] = [];
  let depth = 0;
  let isInString = false;
  /** Where the last comma stands, as long as only white space follows it. */
  let comma = -1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
      continue;
    }
    if (whiteSpace.includes(character)) continue;
    if (character === "}" || character === "]") {
      depth -= 1;
      if (comma !== -1) strayCommas.push(comma);
    } else if (character === "{" || character === "[") depth += 1;
    else if (character === '"') isInString = true;
    comma = character === "," ? index : -1;
  }
  return { isOpen: isInString || depth > 0, strayCommas };
}

const whiteSpace = " \t\r\n";

function without(text: string, positions: readonly number[]): string {
  let from = 0;
  let kept = "";
  for (const position of positions) {
    kept += text.slice(from, position);
    from = position + 1;
  }
  return kept + text.slice(from);
}
