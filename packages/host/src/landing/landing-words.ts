/** How a landing is told to people. */
import type { Landing } from "./land-branches.ts";

export function landingText({ branch, landed, empty, left, stop }: Landing): string {
  const output = stop?.output === undefined ? [] : [indented(stop.output)];
  const lines = [
    ...(landed.length === 0 ? ["Nothing landed."] : [`Landed on ${branch}: ${landed.join(", ")}.`]),
    ...(empty.length === 0 ? [] : [`No new commits in: ${empty.join(", ")}.`]),
    ...(stop === undefined
      ? []
      : [`Stopped at ${stop.worker}. ${stop.why}`, ...output, `Ask ${stop.worker} to fix it.`]),
    ...(left.length === 0 ? [] : [`Not attempted: ${left.join(", ")}.`]),
    ...(landed.length === 0 ? [] : [`To merge it, run git merge ${branch}. To undo it, run kedge land --undo.`]),
  ];
  return lines.join("\n");
}

const linesShown = 10;

function indented(text: string): string {
  return text
    .split("\n")
    .slice(-linesShown)
    .map((line) => `  ${line}`)
    .join("\n");
}
