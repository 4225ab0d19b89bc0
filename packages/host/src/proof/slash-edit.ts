/** `/edit`: the prompt for one change at one place. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { LocalAnswer } from "@kedge/engine";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { OpenedProof } from "./open-proof.ts";

export async function runSlashEdit(argument: string, { parts }: OpenedProof): Promise<LocalAnswer> {
  const [, place = "", change = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
  if (place === "" || change === "") return { text: "Usage: /edit <file>[:line] <change>." };
  // A line, lines, or a line and a column, as compilers write them; a file may also be called like one.
  const named = [place, place.replace(/:\d+(?:[-:]\d+)?:?$/, "")];
  if (!named.some((path) => isFile(resolve(parts.project.cwd, path)))) return { text: `File not found: ${place}.` };
  return { prompt: fillSlots(textBeside(import.meta.url, "./texts/edit-task.md"), { place, change }) };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
