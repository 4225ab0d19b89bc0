/** Recognises files that a program wrote and will write again, so that nobody changes them by hand. */
import { textBeside } from "@kedge/protocol/text-file";

export type GeneratedMark = {
  /** What was recognised. */
  readonly name: string;
  /** What to change in its place, where the file says so. */
  readonly source?: string;
};

type MarkTable = {
  readonly sources: readonly string[];
  readonly marks: readonly { readonly name: string; readonly pattern: string }[];
};

const headerCharactersMax = 1_024;
const headerLinesMax = 40;

/** A sentence for the model when the present text of a file must not be changed by hand; undefined for all others. */
export function describeGenerated(filePath: string, text: string): string | undefined {
  const mark = findGeneratedMark(text);
  if (mark === undefined) return undefined;
  const advice =
    mark.source === undefined
      ? "Change what it is made from and run its generator again."
      : `Change ${mark.source} instead and run its generator again.`;
  return `${filePath} is a generated file (its header says "${mark.name}"); changes made here would be lost. ${advice}`;
}

export function findGeneratedMark(text: string): GeneratedMark | undefined {
  const header = text.slice(0, headerCharactersMax).split("\n", headerLinesMax).join("\n");
  // Our own file, whose shape a test checks row by row.
  const table = JSON.parse(textBeside(import.meta.url, "./generated-files.json")) as MarkTable;
  for (const { name, pattern } of table.marks) {
    if (!new RegExp(pattern, "ims").test(header)) continue;
    const source = table.sources.map((words) => new RegExp(words, "i").exec(header)?.groups?.["source"]);
    const stated = source.find((place) => place !== undefined);
    return stated === undefined ? { name } : { name, source: stated };
  }
  return undefined;
}
