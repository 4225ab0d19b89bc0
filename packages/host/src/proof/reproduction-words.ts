/** How reproductions are shown to people and to the model. */
import type { Reproduction, ReproductionRun } from "@kedge/protocol";

const nextSteps: { readonly [state in Reproduction["state"]]: string } = {
  unproven: "Write a file that fails because of the bug, and run it on the base commit.",
  "fails-before": "Fix the bug, then run it again with the fix.",
  proven: "The bug is reproduced and fixed. Keep the file as a regression test if the project has a place for it.",
  broken: "Run the file on the base commit again.",
};

export function reproductionText(reproduction: Reproduction): string {
  const { id, state, file, command, signature, base, before, after, why } = reproduction;
  const runs = [runsText("before", before), runsText("after", after)].filter((line) => line !== undefined);
  return [
    `${id}: ${state}`,
    ...(file === undefined ? [] : [`file: ${file}`, `command: ${command}`, `fails with: ${signature}`]),
    ...(base === undefined ? [] : [`base: ${base.slice(0, 12)}`]),
    ...runs,
    ...(why === undefined ? [] : [why]),
    nextSteps[state],
  ].join("\n");
}

function runsText(name: string, runs: readonly ReproductionRun[]): string | undefined {
  if (runs.length === 0) return undefined;
  return `${name}: exit ${runs.map(({ exitCode }) => exitCode ?? "timeout").join(", ")}`;
}
