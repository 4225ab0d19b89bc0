/** Reads a text that lies beside its module; the bundler puts the text itself in place of the call. */
import { readFileSync } from "node:fs";

/** Call it as `textBeside(import.meta.url, "./name.md")` with a literal name, so that the bundler can see it. */
export function textBeside(moduleUrl: string, name: string): string {
  return readFileSync(new URL(name, moduleUrl), "utf8").trimEnd();
}
