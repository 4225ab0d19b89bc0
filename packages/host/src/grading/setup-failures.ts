/** Failures that say nothing about the code that runs, in the words of many programs: it did not come to run. */
import { textBeside } from "@kedge/protocol/text-file";

type SetupFailure = { readonly name: string; readonly pattern: string; readonly unless?: string };

const rows = JSON.parse(textBeside(import.meta.url, "./setup-failures.json")) as readonly SetupFailure[];

const patterns = rows.map(({ name, pattern, unless }) => ({
  name,
  pattern: new RegExp(pattern, "m"),
  unless: unless === undefined ? undefined : new RegExp(unless),
}));

/** The name of the failure; undefined where the text tells of none. */
export function setupFailureIn(text: string): string | undefined {
  return patterns.find(({ pattern, unless }) => pattern.test(text) && unless?.test(text) !== true)?.name;
}

const build = "a build that fails";

/** Whether a compiler refused the code. */
export function isBuildFailure(text: string): boolean {
  return patterns.some(({ name, pattern }) => name === build && pattern.test(text));
}
