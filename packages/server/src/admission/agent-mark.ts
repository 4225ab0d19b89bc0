/** The mark by which a process is known that was started for the agent. */

/** Tools put their marks here, and whatever a tool starts inherits them. */
export const markVariable = "KEDGE_JOB";

/** The marks in a text of the form of `/proc/<pid>/environ`. */
export function marksIn(environ: string): readonly string[] {
  const start = `\0${environ}`.indexOf(`\0${markVariable}=`);
  if (start === -1) return [];
  const valueStart = start + markVariable.length + 1;
  const end = environ.indexOf("\0", valueStart);
  return wordsOf(environ.slice(valueStart, end === -1 ? undefined : end));
}

/**
 * The marks of this process itself. A kedge inside of another kedge's command shares them with its own user, so they
 * say nothing about who is its agent.
 */
export function ownMarks(environment: { readonly [name: string]: string | undefined }): ReadonlySet<string> {
  return new Set(wordsOf(environment[markVariable] ?? ""));
}

function wordsOf(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}
