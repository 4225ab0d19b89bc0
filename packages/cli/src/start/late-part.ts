/** The names under which the two parts of the built program ask for each other's modules; `scripts/split-program.ts` has them too. */

/** In what every run loads: a module of the late part. */
export const latePrefix = "kedge-late:";

/** In the late part: a module of what every run loads. */
export const mainPrefix = "kedge-main:";

/** Named after its build, so that a program that is running, or a mixture of two builds, finds what belongs to it. */
export function latePartName(buildId: string): string {
  return `late-${buildId}.cjs`;
}
