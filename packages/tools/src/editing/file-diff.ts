/** Makes the unified diff of one file for people and clients, bounded in time and size. */

export type FileDiff = { readonly text: string; readonly additions: number; readonly deletions: number };

/** Beyond this many changed lines an exact diff takes seconds and nobody reads it. */
const editLengthMax = 1_000;
const diffCharactersMax = 100_000;
const contextLines = 3;

export async function diffTexts(name: string, before: string | undefined, after: string): Promise<FileDiff> {
  if (before === undefined || before === "") return replaceAllLines(name, "", after, { isNew: before === undefined });
  // Loading the library takes 22 ms, which only sessions that change files should pay.
  const { createTwoFilesPatch } = await import("diff");
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
    context: contextLines,
    maxEditLength: editLengthMax,
  });
  if (patch === undefined) return replaceAllLines(name, before, after, { isNew: false });
  const lines = patch.split("\n");
  // The library begins with a line of equal signs, which is no part of the unified format.
  const start = lines.findIndex((line) => line.startsWith("--- "));
  return bound(lines.slice(start, lines.at(-1) === "" ? -1 : undefined));
}

/** Counted from 1 in the new text; 1 for a new file, and where the text stays. */
export function firstChangedLine(before: string | undefined, after: string): number {
  if (before === undefined || before === after) return 1;
  const length = Math.min(before.length, after.length);
  let line = 1;
  for (let index = 0; index < length && before[index] === after[index]; index += 1)
    if (after[index] === "\n") line += 1;
  return line;
}

function replaceAllLines(name: string, before: string, after: string, { isNew }: { isNew: boolean }): FileDiff {
  const removed = splitLines(before);
  const added = splitLines(after);
  const range = (lines: readonly string[]) => (lines.length === 0 ? "0,0" : `1,${lines.length}`);
  return bound([
    isNew ? "--- /dev/null" : `--- a/${name}`,
    `+++ b/${name}`,
    ...(removed.length + added.length === 0 ? [] : [`@@ -${range(removed)} +${range(added)} @@`]),
    ...mark("-", removed, before),
    ...mark("+", added, after),
  ]);
}

function splitLines(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function mark(sign: "+" | "-", lines: readonly string[], text: string): readonly string[] {
  const marked = lines.map((line) => sign + line);
  return lines.length > 0 && !text.endsWith("\n") ? [...marked, "\\ No newline at end of file"] : marked;
}

const fileHeaderLines = 2;

function bound(lines: readonly string[]): FileDiff {
  const body = lines.slice(fileHeaderLines);
  const additions = body.filter((line) => line.startsWith("+")).length;
  const deletions = body.filter((line) => line.startsWith("-")).length;
  let shown = 0;
  let characters = 0;
  while (shown < lines.length) {
    characters += (lines[shown]?.length ?? 0) + 1;
    if (characters > diffCharactersMax) break;
    shown += 1;
  }
  const text = lines.slice(0, shown).join("\n");
  const rest = lines.length - shown;
  return { text: rest === 0 ? text : `${text}\n… ${rest} more lines`, additions, deletions };
}
