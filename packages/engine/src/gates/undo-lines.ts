/** What a person should know of undo before a command of git: the stash entries that go, and what cannot come back. */
import { dirname, join, resolve } from "node:path";
import { shapeOf } from "./command-rows.ts";
import type { MachineLook } from "./machine-look.ts";
import { ageText, plainText, sizeText } from "./plain-text.ts";

type UndoPlace = { readonly machine: MachineLook; readonly directory: string };

const entriesMax = 8;
const dropping: ReadonlySet<string> = new Set(["drop", "clear", "pop"]);

export async function stashLines(
  text: string,
  { machine, directory, now }: UndoPlace & { readonly now: () => number },
): Promise<readonly string[]> {
  const { program, operands } = shapeOf(text);
  if (program !== "git" || operands[0] !== "stash" || !dropping.has(operands[1] ?? "")) return [];
  const log = await stashLog(machine, directory);
  const entries = (log ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .reverse();
  // Without a name only the newest one goes.
  const named = Number(/(?:^|\{)(\d+)\}?$/.exec(operands[2] ?? "0")?.[1] ?? 0);
  const lost = operands[1] === "clear" ? entries : entries.slice(named, named + 1);
  const lines = lost.slice(0, entriesMax).map((line) => {
    const seconds = Number(/ (\d+) [+-]\d{4}\t/.exec(line)?.[1] ?? 0);
    return `stash entry: ${plainText(line.slice(line.indexOf("\t") + 1))}, created ${ageText(seconds * 1000, now())}`;
  });
  const more = lost.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more stash entries`] : lines;
}

/** What a snapshot takes of ignored files at most. */
const keptBytesMax = 200 * 1024 * 1024;

/** Cleaning deletes what only a snapshot could hold, and that has its limits. */
export async function lossLines(text: string, { machine, directory }: UndoPlace): Promise<readonly string[]> {
  const { program, operands } = shapeOf(text);
  if (program !== "git" || operands[0] !== "clean") return [];
  const measure = await machine.measure(directory);
  if (measure.kind !== "folder" || (measure.isComplete && measure.sizeBytes <= keptBytesMax)) return [];
  const size = `${measure.isComplete ? "" : "at least "}${sizeText(measure.sizeBytes)}`;
  return [`the directory holds ${size}: undo covers up to 200 MB, the rest cannot be restored`];
}

/** All work trees of a repository share one stash. */
async function stashLog(machine: MachineLook, directory: string): Promise<string | undefined> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const pointer = await machine.readText(join(folder, ".git"));
    const own = pointer === undefined ? join(folder, ".git") : resolve(folder, pointer.replace(/^gitdir:/, "").trim());
    const common = await machine.readText(join(own, "commondir"));
    const log = await machine.readText(
      join(common === undefined ? own : resolve(own, common.trim()), "logs/refs/stash"),
    );
    if (log !== undefined || pointer !== undefined || dirname(folder) === folder) return log;
  }
}
