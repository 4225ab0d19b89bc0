/** What a person must see before a grave command: from the machine and the record of the session, never from the model. */

import { basename, dirname, relative, resolve } from "node:path";
import { counted } from "@kedge/protocol";
import { clockToleranceMs } from "./call-times.ts";
import { type CommandShape, shapeOf } from "./command-rows.ts";
import type { GraveCommand, ShownSubject } from "./irreversible.ts";
import type { FileLook, MachineLook, PathMeasure } from "./machine-look.ts";
import { ageText, plainText, sizeText } from "./plain-text.ts";
import { premiseFilesOfHome } from "./premise-files.ts";
import type { PremiseWatch } from "./premise-watch.ts";
import { selectedContext } from "./selected-context.ts";
import { lossLines, stashLines } from "./undo-lines.ts";

export type EvidenceParts = {
  readonly machine: MachineLook;
  readonly premise: PremiseWatch;
  /** Where the command would run, as far as its text tells. */
  readonly directory: string;
  /** All of the text that the command stands in. */
  readonly whole: string;
  readonly home: string;
  /** Absolute paths of the files that the session's record names as changed. */
  readonly changedFiles: readonly string[];
  readonly now: () => number;
};

const targetsMax = 8;
const stateFilesMax = 6;
const changedFilesMax = 12;

export async function evidenceFor(grave: GraveCommand, parts: EvidenceParts): Promise<readonly string[]> {
  const { machine, whole, home } = parts;
  const shape = shapeOf(grave.text);
  const directory = directoryOf(shape, parts.directory);
  const targets = targetsOf(shape, grave.shows);
  const [selection, measured, states] = await Promise.all([
    selectedContext(grave.shows, { machine, text: grave.text, whole, directory, home }),
    measureTargets(targets, directory, parts),
    stateFiles(grave.shows, directory, parts),
  ]);
  const folders = measured.flatMap(({ path, measure }) => (measure.kind === "folder" ? [path] : []));
  return [
    `${plainText(grave.command.text)}: ${grave.why}`,
    `working directory: ${plainText(directory)}`,
    ...selection,
    ...measured.map(targetLine),
    ...(targets.length > targetsMax ? [`and ${counted(targets.length - targetsMax, "more target")}`] : []),
    ...states,
    ...(await stashLines(grave.text, { machine, directory, now: parts.now })),
    ...(await lossLines(grave.text, { machine, directory })),
    ...(await changedLines([directory, ...folders], parts)),
  ];
}

/** Options that send a program to another directory. */
const directoryOptions: ReadonlyMap<string, readonly string[]> = new Map([
  ["git", ["-C", "--work-tree"]],
  ["terraform", ["-chdir", "--chdir"]],
  ["tofu", ["-chdir", "--chdir"]],
  ["terragrunt", ["--working-dir", "--terragrunt-working-dir"]],
  ["pulumi", ["-C", "--cwd"]],
  ["npm", ["--prefix", "-C"]],
]);

function directoryOf({ program, values }: CommandShape, directory: string): string {
  const named = (directoryOptions.get(program) ?? []).flatMap((option) => values.get(option) ?? []);
  return named.reduce((current, next) => resolve(current, next), directory);
}

function targetsOf({ program, operands, options }: CommandShape, shows: ShownSubject): readonly string[] {
  if (shows === "database") return program.startsWith("sqlite") || program === "duckdb" ? operands.slice(0, 1) : [];
  if (shows === "git") return options.has("--") ? operands.slice(1) : [];
  if (shows !== "files") return [];
  if (program === "dd") return operands.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : []));
  if (program === "rsync") return operands.slice(-1);
  if (program === "find") return operands.length === 0 ? ["."] : operands.slice(0, 1);
  return operands;
}

type MeasuredTarget = { readonly path: string; readonly written: string; readonly measure: PathMeasure };

async function measureTargets(
  targets: readonly string[],
  directory: string,
  { machine, home }: EvidenceParts,
): Promise<readonly MeasuredTarget[]> {
  const measured: MeasuredTarget[] = [];
  // One after the other: each look has its own limit of time.
  for (const written of targets.slice(0, targetsMax)) {
    const path = resolve(
      directory,
      written.replace(/^~(?=\/|$)/, () => home),
    );
    measured.push({ path, written, measure: await machine.measure(path) });
  }
  return measured;
}

function targetLine({ path, written, measure }: MeasuredTarget): string {
  const name = `target: ${plainText(path)}`;
  switch (measure.kind) {
    case "missing":
      return /[*?[{$`]/.test(written)
        ? `target: ${plainText(written)}, which the shell expands; its targets were not counted`
        : `${name} does not exist`;
    case "file":
      return `${name}, a file (${sizeText(measure.sizeBytes)})`;
    case "folder": {
      const least = measure.isComplete ? "" : "at least ";
      return `${name}, a directory with ${least}${counted(measure.files, "file")}, ${sizeText(measure.sizeBytes)}`;
    }
  }
}

/** Nearest first: those of the directory itself decide more than those below it. */
async function stateFiles(
  shows: ShownSubject,
  directory: string,
  { premise, now, home }: EvidenceParts,
): Promise<readonly string[]> {
  if (shows === "nothing" || shows === "files" || shows === "git") return [];
  const { items, isComplete } = await premise.files(new Set([shows]));
  const ofHome = new Set(premiseFilesOfHome(home));
  const near = items
    .filter(({ path }) => isBelow(path, directory) || isAbove(path, directory) || ofHome.has(path))
    .sort((left, right) => distance(left.path, directory) - distance(right.path, directory));
  const lines = near.slice(0, stateFilesMax).map(({ path, sizeBytes, modifiedMs, changedMs }) => {
    // An unpacked file carries the time of the archive; both times together give it away.
    const placed = changedMs - modifiedMs > 60_000 ? `, placed ${ageText(changedMs, now())}` : "";
    return `state file: ${plainText(path)}, ${sizeText(sizeBytes)}, modified ${ageText(modifiedMs, now())}${placed}`;
  });
  if (near.length > stateFilesMax) lines.push(`and ${counted(near.length - stateFilesMax, "more state file")}`);
  if (!isComplete) lines.push("the workspace is too large to list every state file");
  return lines;
}

async function changedLines(directories: readonly string[], parts: EvidenceParts): Promise<readonly string[]> {
  const { machine, premise, changedFiles, now } = parts;
  const [first = ""] = directories;
  const since = premise.notedMs();
  const found = new Map<string, FileLook | undefined>();
  let isComplete = true;
  const separate = directories.filter((one) => one === first || !isBelow(one, first));
  if (since !== undefined) {
    for (const directory of separate) {
      const changed = await machine.changedSince(directory, since - clockToleranceMs);
      isComplete &&= changed.isComplete;
      for (const file of changed.items) found.set(file.path, file);
    }
  }
  for (const path of changedFiles) {
    if (!found.has(path) && separate.some((directory) => isBelow(path, directory))) found.set(path, undefined);
  }
  if (found.size === 0) return isComplete ? ["no file in that directory changed in this session, as far as known"] : [];
  const lines = [...found].slice(0, changedFilesMax).map(([path, file]) => {
    const name = plainText(isBelow(path, first) ? relative(first, path) : path);
    if (file === undefined) return `changed in this session: ${name}`;
    return `changed in this session: ${name}, ${ageText(file.changedMs, now())} by: ${premise.causeOf(file)}`;
  });
  const more = found.size - changedFilesMax;
  if (more > 0) lines.push(`and ${isComplete ? "" : "at least "}${counted(more, "more changed file")}`);
  else if (!isComplete) lines.push("the directory is too large to list every changed file");
  return lines;
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** In a folder on the way from the root to the directory. */
function isAbove(path: string, directory: string): boolean {
  return isBelow(directory, dirname(path));
}

function distance(path: string, directory: string): number {
  const steps = relative(directory, dirname(path));
  return steps === "" ? 0 : steps.split("/").length + (basename(path).endsWith(".backup") ? 1 : 0);
}
