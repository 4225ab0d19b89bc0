/** Whether a person sits before a terminal that can show a whole screen. */
import type { Flags } from "../arguments/flags.ts";

/** True where a full screen can be drawn and typed into. */
export function hasScreen(flags: Flags, environment: { readonly [name: string]: string | undefined }): boolean {
  const isDumb = environment["TERM"] === "dumb" || environment["TERM"] === undefined;
  return flags.console !== true && !isDumb && process.stdin.isTTY === true && process.stdout.isTTY === true;
}
