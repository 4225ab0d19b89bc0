/** Why a text must not be remembered before the user has looked at it, also where it is spread over lines or topics. */
import { decodedIn } from "../../fence/attack-forms.ts";
import { findAttack } from "../../fence/find-attack.ts";
import { hasMarks } from "../../fence/neutralise-text.ts";
import { quarantineReason } from "../../fence/quarantine.ts";

/** The text must have been cleaned: what nobody sees can take a word apart. */
export function suspicionOf(text: string): string | undefined {
  // A shell joins these lines, and so does whoever follows them.
  const joined = text.replaceAll(/[ \t]*\\\n[ \t]*|\n[ \t]*(?=[|&;])|(?<=[|&;(])[ \t]*\n[ \t]*/g, " ");
  const forms = [text, ...(joined === text ? [] : [joined]), ...decodedIn(text)];
  return forms.map(quarantineReason).find((why) => why !== undefined);
}

/** Of a text before it is cleaned, which takes them out. */
export function suspicionOfMarks(text: string): string | undefined {
  return hasMarks(text) ? "it contains markers reserved for kedge" : undefined;
}

/** Looks longer than that, for texts that come in and for those that kedge did not write as they stand. */
export function suspicionOfNew(text: string): string | undefined {
  return (
    suspicionOf(text) ?? (findAttack(text) === undefined ? undefined : "text that reads like instructions to a model")
  );
}

/** A text that only becomes one together with another topic: the one ends, or the other begins, in the middle of a command. */
export function suspicionOfPair(one: string, other: string): string | undefined {
  return halves(one, other) ?? halves(other, one);
}

function halves(first: string, second: string): string | undefined {
  const [end, start] = [first.trimEnd().slice(-halfCharacters), second.trimStart().slice(0, halfCharacters)];
  const isCut = /[|&;($`\\]$/.test(end) || /^[|&;)`]/.test(start);
  return isCut ? quarantineReason(`${lastLine(end)} ${start.split("\n", 1)[0] ?? ""}`) : undefined;
}

const halfCharacters = 300;

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}
