/** Makes commands of a text that is not understood, so that rules that forbid something still find it. */
import type { AnalysedCommand } from "@kedge/protocol";

/** What a shell would expand, as far as it can be told without a grammar. */
const expansion = /\$(?:\{[^{}]*\}|\w+|[@*#?!$-])/g;
const charactersMax = 10_000;

/**
 * One for each stretch between operators, with every word as a possible beginning. Quotes are taken off, and what a
 * shell would expand is tried as if it were a space and as if it were nothing; a text too long to be typed by anybody
 * is tried only as it is.
 */
export function rawCommands(text: string): readonly AnalysedCommand[] {
  const joined = text.replaceAll("\\\n", "");
  const bare = joined.replace(/["'\\]/g, "");
  const texts = joined === bare ? [bare] : [joined, bare];
  if (text.length <= charactersMax) {
    if (bare.includes("$")) texts.push(bare.replace(expansion, " "), bare.replace(expansion, ""));
    if (bare.includes("{")) texts.push(bare.replace(/[{},]/g, " "));
  }
  const pieces = new Set(texts.flatMap((form) => form.split(/[;&|\n()`<>]+/)));
  const tidy = new Set([...pieces].map((piece) => piece.replace(/[\s\0]+/g, " ").trim()));
  tidy.delete("");
  return [...tidy].map(toCommand);
}

function toCommand(text: string): AnalysedCommand {
  const otherTexts: string[] = [];
  for (const { index } of text.matchAll(/(?<=[ {}[\]=,!])[^ ]|(?<=\/)[^ /]/g)) otherTexts.push(text.slice(index));
  return { text, otherTexts, isTransparent: false, riskyOptions: [], readOnly: false };
}
