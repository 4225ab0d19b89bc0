/** Judges what a text does to variables, in whichever way it sets them. */
import { isRiskyVariable } from "./risky-variables.ts";
import type { Assignment } from "./shell-command.ts";
import { isShellInteger, isShellOwned } from "./shell-owned-variables.ts";
import { addConcern, type ShellWalk } from "./shell-walk.ts";

export function noteAssignment(walk: ShellWalk, { name, value, mayBeReread }: Assignment): void {
  // Anything else that sets the name, before or in a function after, may have made an array of it.
  const mayBeArray = mayBeReread ? walk.assigned.has(name) || isShellOwned(name) : walk.reread.has(name);
  if (mayBeArray) addConcern(walk, `${name}=${value?.text ?? ""}`, rereadWhy);
  if (mayBeReread) walk.reread.add(name);
  walk.assigned.add(name);
  if (isRiskyVariable(name)) {
    addConcern(walk, value === undefined ? name : `${name}=${value.text}`, `The variable ${name} changes what runs.`);
  }
  if (isShellInteger(name) && !isPlainNumber(value)) {
    addConcern(walk, value === undefined ? name : `${name}=${value.text}`, `Bash evaluates what ${name} is set to.`);
  }
  if (value !== undefined && holdsCode(value.text) && value.isLiteral) {
    addConcern(walk, `${name}=${value.text}`, `The value of ${name} can run as a command where it is evaluated.`);
  }
}

const rereadWhy = "The value of an array is read again, and what it holds can run commands.";

function isPlainNumber(value: Assignment["value"]): boolean {
  return value?.isNumber === true || (value?.isLiteral === true && /^[-+]?\d*$/.test(value.text));
}

/** A subscript with a substitution, which arithmetic runs. */
function holdsCode(text: string): boolean {
  return text.includes("[") && (text.includes("$(") || text.includes("`"));
}
