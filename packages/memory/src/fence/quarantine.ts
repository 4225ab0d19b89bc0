/** Recognises texts that would make a later reader run, send or permit something: they are kept apart until a person looks. */
import { textBeside } from "@kedge/protocol/text-file";
import type { NeededPieces } from "./needed-letters.ts";

type Suspicion = {
  readonly pattern: string;
  /** What every match contains, as `neededPieces` reads it: written down, because reading it takes as long as a request. */
  readonly needs: NeededPieces;
  readonly why: string;
  /** Made when a text may match it: to compile all of them takes 17 ms. */
  expression?: RegExp;
};

/** Read with the first text, because a start has none to look at. */
let suspicions: readonly Suspicion[] | undefined;

/** Why the text is suspicious, or undefined. */
export function quarantineReason(text: string): string | undefined {
  suspicions ??= readSuspicions();
  // The one letter that counts as another one and has no lower case of its own.
  const letters = text.replaceAll("\u017f", "s").toLowerCase();
  return suspicions.find((suspicion) => {
    if (!suspicion.needs.every((pieces) => pieces.some((piece) => letters.includes(piece)))) return false;
    suspicion.expression ??= new RegExp(suspicion.pattern, "imu");
    return suspicion.expression.test(text);
  })?.why;
}

function readSuspicions(): readonly Suspicion[] {
  // Our own file, which the test of this module checks.
  return JSON.parse(textBeside(import.meta.url, "./quarantine.json")) as readonly Suspicion[];
}
