/** Mends the two slips that models make in JSON: commas before a closing bracket, and brackets or quotes left open. */
import type { Json } from "@kedge/protocol";

/** Undefined when the text is no JSON even then. Nothing that stands in a string is changed. */
export function repairJson(text: string): Json | undefined {
  try {
    return JSON.parse(mend(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function mend(text: string): string {
  const open: string[] = [];
  let mended = "";
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (isInString) {
      mended += character;
      if (character === "\\") mended += text[++index] ?? "";
      else if (character === '"') isInString = false;
      continue;
    }
    if (character === '"') isInString = true;
    else if (character === "{") open.push("}");
    else if (character === "[") open.push("]");
    else if (character === "}" || character === "]") {
      mended = withoutTrailingComma(mended);
      open.pop();
    }
    mended += character;
  }
  if (isInString) mended += '"';
  return open.reduceRight((closed, bracket) => withoutTrailingComma(closed) + bracket, mended);
}

function withoutTrailingComma(text: string): string {
  return text.replace(/,\s*$/, "");
}
