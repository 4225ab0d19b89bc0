/** Makes commands of a text that is not understood, so that rules that forbid something still find it. */
import type { AnalysedCommand } from "@kedge/protocol";

/**
 * One for each stretch between operators, with every word as a possible beginning. Quotes are taken off, and what a
 * shell would expand is tried as if it were a space and as if it were nothing.
 */
export function rawCommands(text: string): readonly AnalysedCommand[] {
  const joined = text.replaceAll("\\\n", "");
  const bare = joined.replace(/["'\\]/g, "");
  const texts = [joined, bare];
  if (bare.includes("$")) {
    texts.push(
      bare.replace(/\$(?:\{[^{}]*\}|\w+|[@*#?!$-])/g, " "),
      bare.replace(/\$(?:\{[^{}]*\}|\w+|[@*#?!$-])/g, ""),
    );
  }
  if (bare.includes("{")) texts.push(bare.replace(/[{},]/g, " "));
  const pieces = new Set(
    texts.flatMap((form) => form.split(/[;&|\n()`<>]+/)).map((piece) => piece.replace(/[\s\0]+/g, " ").trim()),
  );
  pieces.delete("");
  return [...pieces].map(toCommand);
}

function toCommand(text: string): AnalysedCommand {
  const otherTexts: string[] = [];
  for (const { index } of text.matchAll(/(?<=[ {}[\]=,!])[^ ]|(?<=\/)[^ /]/g)) otherTexts.push(text.slice(index));
  return { text, otherTexts, isTransparent: false, riskyOptions: [], readOnly: false };
}
