/** The parts of the built program, and the names under which they ask for each other's modules; `scripts/part-imports.ts` has them too. */

/** What every run loads, what a start with extensions loads, what a run at work loads, and the rest. */
export type ProgramPart = "main" | "extras" | "work" | "late";

export type AskedModule = { readonly part: ProgramPart; readonly path: string };

/** Undefined for a module of Node or of a package. */
export function askedModule(name: string): AskedModule | undefined {
  const [, part, path] = /^kedge-(main|extras|work|late):(.+)$/.exec(name) ?? [];
  // See the pattern.
  return part === undefined || path === undefined ? undefined : { part: part as ProgramPart, path };
}

/** Named after its build, so that a program that is running, or a mixture of two builds, finds what belongs to it. */
export function partFile(part: ProgramPart, buildId: string): string {
  return `${part}-${buildId}.cjs`;
}
