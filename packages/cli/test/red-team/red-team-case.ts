/** The data of the red team: disguised commands, repositories that steer programs, and ordinary commands. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * In `command`, `files`, `prepare` and `env`, `@OUT@` is a directory beside the project, `@HOME@` the user's home, `@KEDGE@`
 * the home of kedge, `@TMP@` a name in the system's temporary directory, `@PROJECT@` the project and `@PORT@` the listener.
 */
export type RedTeamCase = {
  readonly id: string;
  readonly class: string;
  readonly command: string;
  /** Laid into the project before the call; one that begins with `#!` can be executed. */
  readonly files?: { readonly [path: string]: string };
  /** What cannot be said as files, such as links and git's own settings: bash, run in the project before the call. */
  readonly prepare?: string;
  /** Further members of the call's input, such as `pty`, `env` or `background`. */
  readonly input?: object;
  /** The user's environment. */
  readonly env?: { readonly [name: string]: string };
};

export type OrdinaryCommand = { readonly id: string; readonly command: string };

export const disguises = (): readonly RedTeamCase[] => linesOf("disguises.jsonl");
export const configured = (): readonly RedTeamCase[] => linesOf("configured.jsonl");
export const ordinary = (): readonly OrdinaryCommand[] => linesOf("ordinary.jsonl");

function linesOf<Row>(name: string): readonly Row[] {
  return readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
