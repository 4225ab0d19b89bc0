/** Judges what a text does to variables, in whichever way it sets them. */
import { isRiskyVariable } from "./risky-variables.ts";
import type { Assignment } from "./shell-command.ts";
import { addConcern, type ShellWalk } from "./shell-walk.ts";

export function noteAssignment(walk: ShellWalk, { name, value }: Assignment): void {
  walk.assigned.add(name);
  if (isRiskyVariable(name)) {
    addConcern(walk, value === undefined ? name : `${name}=${value.text}`, `The variable ${name} changes what runs.`);
  }
  if (value !== undefined && holdsCode(value.text) && value.isLiteral) {
    addConcern(walk, `${name}=${value.text}`, `The value of ${name} can run as a command where it is evaluated.`);
  }
}

/** A subscript with a substitution, which arithmetic runs. */
function holdsCode(text: string): boolean {
  return text.includes("[") && (text.includes("$(") || text.includes("`"));
}
