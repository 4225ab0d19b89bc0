/** Changes of several text files that are made all together or not at all. */
import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import type { ToolContext } from "@kedge/protocol";
import { loadText, type TextFile } from "../file-content.ts";
import { shortPath } from "../tool-path.ts";
import { describeStale, findPlace, lockAll } from "./change-guards.ts";
import type { FileStep } from "./file-step.ts";
import { asFormatted, type Upkeep } from "./file-upkeep.ts";
import { asInFile, describeRedacted } from "./seen-text.ts";
import { writeSteps } from "./write-steps.ts";

/** What the file would become, or why it cannot; without byte order mark. */
export type FilePlanned =
  | { readonly ok: true; readonly after: string; readonly warnings?: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** What is wanted of one file. A plan may be made several times and looks at the present content only. */
export type FileWish =
  | { readonly kind: "add"; readonly filePath: string; readonly text: string }
  | {
      readonly kind: "update";
      readonly filePath: string;
      readonly moveTo?: string;
      readonly plan: (before: TextFile) => FilePlanned;
    }
  /** The plan must leave nothing. */
  | { readonly kind: "delete"; readonly filePath: string; readonly plan: (before: TextFile) => FilePlanned };

/** A change that was found possible; the paths are the true ones. */
export type PlannedFile = {
  readonly wish: FileWish;
  readonly step: FileStep;
  readonly warnings: readonly string[];
};

export type PlannedSet =
  | { readonly ok: true; readonly files: readonly PlannedFile[] }
  | { readonly ok: false; readonly problem: string };

/** The steps are those of the final texts, formatted ones included. */
export type MadeSet =
  | { readonly ok: true; readonly files: readonly PlannedFile[]; readonly upkeep: Upkeep }
  | { readonly ok: false; readonly problem: string };

type PlannedOne = { readonly ok: true; readonly file: PlannedFile } | { readonly ok: false; readonly problem: string };

const shownProblemsMax = 5;

/** Looks at all files before it gives up, so that a model can correct everything at once. */
export function planChangeSet(wishes: readonly FileWish[], context: ToolContext): PlannedSet {
  const planned = wishes.map((wish) => planOne(wish, context));
  const problems = planned.flatMap((one) => (one.ok ? [] : [one.problem]));
  const files = planned.flatMap((one) => (one.ok ? [one.file] : []));
  const double = findDouble(files);
  if (double !== undefined) problems.push(double);
  if (problems.length === 0) return { ok: true, files };
  const more = problems.length - shownProblemsMax;
  const shown = more > 0 ? [...problems.slice(0, shownProblemsMax), `… and ${more} more problems.`] : problems;
  return { ok: false, problem: [...shown, "Nothing was written."].join("\n") };
}

/** Plans again under the locks of all true paths. */
export async function makeChangeSet(wishes: readonly FileWish[], context: ToolContext): Promise<MadeSet> {
  const refuse = (problem: string): MadeSet => ({ ok: false, problem });
  const first = planChangeSet(wishes, context);
  if (!first.ok) return first;
  const paths = first.files.flatMap(({ step }) => pathsOf(step)).sort();
  return lockAll(paths, context.files, async () => {
    if (context.signal.aborted) return refuse("Interrupted before anything was written.");
    const planned = planChangeSet(wishes, context);
    if (!planned.ok) return planned;
    const now = planned.files.flatMap(({ step }) => pathsOf(step)).sort();
    if (now.join("\n") !== paths.join("\n")) return refuse("A path now points somewhere else. Nothing was written.");
    const steps = planned.files.map(({ step }) => step);
    const written = await writeSteps(steps, context);
    if (!written.ok) return written;
    const { upkeep } = written;
    return {
      ok: true,
      files: planned.files.map((file) => ({ ...file, step: asFormatted(file.step, upkeep) })),
      upkeep,
    };
  });
}

function pathsOf(step: FileStep): readonly string[] {
  return step.kind === "move" ? [step.path, step.target] : [step.path];
}

function findDouble(files: readonly PlannedFile[]): string | undefined {
  const seen = new Set<string>();
  for (const { wish, step } of files) {
    for (const path of pathsOf(step)) {
      if (seen.has(path))
        return `${wish.filePath} is changed twice, perhaps under two names; put it all into one section.`;
      seen.add(path);
    }
  }
  return undefined;
}

function planOne(wish: FileWish, context: ToolContext): PlannedOne {
  const refuse = (problem: string): PlannedOne => ({ ok: false, problem });
  const place = findPlace(wish.filePath, context.cwd);
  if (!place.ok) return place;
  const loaded = loadText(place.path);
  if (loaded.kind === "refused") return refuse(loaded.problem);
  if (wish.kind === "add") {
    if (loaded.kind === "text") return refuse(`${wish.filePath} exists already; update it instead of adding it.`);
    return { ok: true, file: { wish, step: { kind: "create", path: place.path, after: wish.text }, warnings: [] } };
  }
  if (loaded.kind === "missing") return refuse(`${wish.filePath} does not exist; check the path, or add it.`);
  const objection =
    describeStale(wish.filePath, loaded.contentHash, context.files.known(place.path)) ??
    describeLink(wish, context.cwd);
  if (objection !== undefined) return refuse(objection);
  const planned = wish.plan(loaded);
  if (!planned.ok) return planned;
  const { warnings = [] } = planned;
  const after = asInFile(planned.after, loaded.text);
  const redacted = describeRedacted(wish.filePath, loaded.text, after);
  if (redacted !== undefined) return refuse(redacted);
  const before = { path: place.path, before: loaded };
  if (wish.kind === "delete") {
    if (after !== "") return refuse(`The hunks leave lines of ${wish.filePath}, so it cannot be deleted.`);
    return { ok: true, file: { wish, step: { kind: "remove", ...before }, warnings } };
  }
  if (wish.moveTo === undefined) {
    if (after === loaded.text) return refuse(`Nothing would change in ${wish.filePath}; leave it out.`);
    return { ok: true, file: { wish, step: { kind: "replace", ...before, after }, warnings } };
  }
  const target = findTarget(wish.moveTo, context.cwd);
  if (!target.ok) return target;
  return { ok: true, file: { wish, step: { kind: "move", ...before, target: target.path, after }, warnings } };
}

function findTarget(moveTo: string, cwd: string) {
  const target = findPlace(moveTo, cwd);
  if (!target.ok) return target;
  const { kind } = loadText(target.path);
  if (kind === "missing") return target;
  return { ok: false, problem: `${moveTo} exists already; choose another name or delete it first.` } as const;
}

/** Removing what a link leads to would leave the link behind. */
function describeLink(wish: FileWish, cwd: string): string | undefined {
  const removes = wish.kind === "delete" || (wish.kind === "update" && wish.moveTo !== undefined);
  const named = resolve(cwd, wish.filePath);
  if (!removes || lstatSync(named, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
  return `${shortPath(named, cwd)} is a symbolic link; move or delete it with bash.`;
}
