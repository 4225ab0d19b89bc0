/** What a call changed without saying so, in words below its result. */
import type { FileChange, JsonObject } from "@kedge/protocol";
import { boundOutput } from "../text/bound-output.ts";

/** More names would bury the output they stand below. */
const namesMax = 20;
const lineCharactersMax = 3_000;

/** One line for the end of a result, and the same as values for a screen. */
export function describeChanges(files: readonly FileChange[]): {
  readonly line: string;
  readonly metadata: JsonObject;
} {
  const shown = files.slice(0, namesMax);
  const names = shown.map(({ path, status }) => `${status} ${plainName(path)}`).join(", ");
  const more = files.length - shown.length;
  return {
    line: boundOutput(`Changed files: ${names}${more === 0 ? "" : ` and ${more} more`}`, lineCharactersMax),
    metadata: { changedFiles: shown, changedFilesTotal: files.length },
  };
}

/** A name with a line end or another control character in it could pass for output. */
function plainName(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
