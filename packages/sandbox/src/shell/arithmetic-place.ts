/** The one judge of texts that bash evaluates as arithmetic: there a value is code, and its subscripts run commands. */
import { isRiskyVariable } from "./risky-variables.ts";
import { anyNumber, forgetAll, isNumber, type ShellVariables, setVariable } from "./shell-variables.ts";
import { addConcern, noteUnknown, type ShellWalk } from "./shell-walk.ts";
import type { ExpansionPart } from "./syntax/script.ts";

/** Set by bash itself, to nothing but numbers. */
const ownNumbers: ReadonlySet<string> = new Set(
  "RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID EPOCHSECONDS".split(" "),
);

export type ArithmeticPlace = {
  readonly text: string;
  /** The shell has read it: expansions in it are the shell's own. In a text that a builtin is given they are hidden code. */
  readonly isWritten: boolean;
};

/** Harmless are numbers, signs, and names that this text has set to numbers; any other name holds what others put there. */
export function judgeArithmetic(walk: ShellWalk, variables: ShellVariables, place: ArithmeticPlace): void {
  for (const name of place.text.match(/[A-Za-z_]\w*/g) ?? []) {
    if (isRiskyVariable(name)) addConcern(walk, place.text.trim(), `The variable ${name} changes what runs.`);
  }
  // Every element, and none that is computed.
  if (/^[@*]$/.test(place.text)) return;
  const assigned = readNumbers(place, (name) => holdsNumber(walk, variables, name));
  if (assigned === undefined) {
    if (/\[.*(?:\$\(|`)/s.test(place.text)) noteUnknown(walk, "Quoted text is evaluated and can run commands.");
    addConcern(walk, place.text.trim(), "It is evaluated as arithmetic, and what it evaluates can run commands.");
    forgetAll(variables);
    return;
  }
  for (const name of assigned) setVariable(variables, name, anyNumber);
}

/** Whether an expansion gives a number, whatever is in it. */
export function givesNumber(walk: ShellWalk, variables: ShellVariables, part: ExpansionPart): boolean {
  if (/^\$(?:\(\(|\[|[?#$!]$)|^\$\{#./.test(part.source)) return true;
  return part.variable !== undefined && holdsNumber(walk, variables, part.variable);
}

function holdsNumber(walk: ShellWalk, { values, limits }: ShellVariables, name: string): boolean {
  if (ownNumbers.has(name) && !walk.assigned.has(name)) return true;
  return !limits.isOff && isNumber(values.get(name));
}

const tokens =
  /(?<blank>[\s"]+)|(?<number>0[xX][\da-fA-F]+|\d+)|(?<length>\$\{#(?:[A-Za-z_]\w*(?:\[[@*]\])?|[@*])\}|\$[?#$])|(?<value>\$\{[A-Za-z_]\w*\}|\$[A-Za-z_]\w*)|(?<nested>\$\(\()|(?<name>[A-Za-z_]\w*)|(?<sign>[-+*/%<>=!&|^~?:,();])/y;

/** The names it sets, or undefined where more than numbers is evaluated. */
function readNumbers({ text, isWritten }: ArithmeticPlace, isNumeric: (name: string) => boolean) {
  const assigned = new Set<string>();
  // What stands behind these is evaluated only perhaps, so that it sets nothing for certain.
  const isCertain = !/&&|\|\||\?/.test(text);
  for (let at = 0; at < text.length; ) {
    tokens.lastIndex = at;
    const found = tokens.exec(text)?.groups;
    if (found === undefined) return undefined;
    const start = at;
    at = tokens.lastIndex;
    const { name, value, nested, length } = found;
    if (value !== undefined || nested !== undefined || length !== undefined) {
      if (nested !== undefined) at = endOfNested(text, start);
      // Together with its neighbours it could be another name.
      if (!isWritten || isJoined(text, start, at)) return undefined;
    }
    if (value !== undefined && !isNumeric(value.replace(/^\$\{?|\}$/g, ""))) return undefined;
    if (name === undefined) continue;
    const after = text.slice(at).trimStart();
    const isSet = /^=(?!=)/.test(after) && isCertain;
    if (after.startsWith("[") || /^[$`]/.test(text.slice(at)) || !(isSet || isNumeric(name) || assigned.has(name)))
      return undefined;
    assigned.add(name);
  }
  return assigned;
}

function isJoined(text: string, start: number, end: number): boolean {
  return /[\w#@$}]/.test(text[start - 1] ?? "") || /[\w#@$[`]/.test(text[end] ?? "");
}

/** The parentheses of an inner `$((…))`, which is judged for itself. */
function endOfNested(text: string, start: number): number {
  let open = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "(") open += 1;
    else if (text[at] === ")") open -= 1;
    if (open === 0) return at + 1;
  }
  return text.length;
}
