/** Writes to `conflict://`: puts a text in the place of one recorded region of a merge, or of all of them. */
import { resolve } from "node:path";
import type { ToolContext, ToolOutput } from "@kedge/protocol";
import { lineEndingOf, loadText, type TextFile, withLineEnding } from "../../file-content.ts";
import { shortPath } from "../../tool-path.ts";
import { findPlace } from "../change-guards.ts";
import { type FilePlanned, type FileWish, type MadeSet, makeChangeSet, planChangeSet } from "../file-change-set.ts";
import { diffChangeSet, reportChangeSet } from "../report-change-set.ts";
import type { InnerWrite } from "../targets/inner-write.ts";
import { type ConflictRegion, type Conflicts, selectRegions } from "./conflicts.ts";

export type Resolution = {
  readonly id: number | "all";
  /** A text, or one of the words that stand for a side. */
  readonly content: string;
  readonly conflicts: Conflicts;
  /** A sentence for the model when this text must not be changed by hand. */
  readonly objectionTo: (filePath: string, text: string) => string | undefined;
};

type Resolving =
  | { readonly ok: true; readonly wishes: readonly FileWish[]; readonly ids: readonly number[] }
  | { readonly ok: false; readonly problem: string };

const howToRecord = "Read a file with :conflicts behind its path to get the numbers.";

export function resolveConflicts(resolution: Resolution): InnerWrite {
  return {
    async look(context) {
      const resolving = beginResolving(resolution, context.cwd);
      if (!resolving.ok) return resolving;
      const planned = planChangeSet(resolving.wishes, context);
      if (!planned.ok) return planned;
      const diff = await diffChangeSet(planned.files, context.cwd);
      if (resolution.id !== "all") return { ok: true, preview: diff };
      const counts = `${count(resolving.ids, "conflict region")} in ${count(planned.files, "file")}`;
      return { ok: true, preview: `Replaces all ${counts} at once.\n${diff}` };
    },
    async run(context) {
      const title = `conflict://${resolution.id === "all" ? "*" : resolution.id}`;
      const resolving = beginResolving(resolution, context.cwd);
      if (!resolving.ok) return { output: resolving.problem, isError: true, title };
      const made = await makeChangeSet(resolving.wishes, context);
      if (!made.ok) return { output: made.problem, isError: true, title };
      resolution.conflicts.forget(resolving.ids);
      return report(made, resolution, context);
    },
  };
}

/** The files that hold the regions which are meant, and what is wanted of each. */
function beginResolving({ id, content, conflicts, objectionTo }: Resolution, cwd: string): Resolving {
  const regions = id === "all" ? stillThere(conflicts) : selectRegions(conflicts, id);
  if (regions.length === 0) {
    const missing = id === "all" ? "No conflict is recorded." : `No conflict://${id}.`;
    return { ok: false, problem: `${missing} ${howToRecord}` };
  }
  const ids = regions.map((region) => region.id);
  const wishes = pathsOf(regions, cwd).map((path): FileWish => {
    const name = shortPath(path, cwd);
    const plan = (before: TextFile): FilePlanned => {
      const objection = objectionTo(name, before.text);
      if (objection !== undefined) return { ok: false, problem: objection };
      // The present text says where the regions are now, and whether they are still there.
      const present = conflicts.record(path, before.text).filter((region) => ids.includes(region.id));
      if (present.length > 0) return replaceRegions(before, present, content);
      return { ok: false, problem: `${name} no longer has this conflict; read ${name}:conflicts for what is left.` };
    };
    return { kind: "update", filePath: name, plan };
  });
  return { ok: true, wishes, ids };
}

/** What was resolved in another way meanwhile is no obstacle to resolving the rest. */
function stillThere(conflicts: Conflicts): readonly ConflictRegion[] {
  const recorded = conflicts.list();
  for (const path of new Set(recorded.map((region) => region.path))) {
    const loaded = loadText(path);
    conflicts.record(path, loaded.kind === "text" ? loaded.text : "");
  }
  return recorded.filter(({ id }) => conflicts.find(id) !== undefined);
}

/** One file may have been read under two names. */
function pathsOf(regions: readonly ConflictRegion[], cwd: string): readonly string[] {
  const named = new Map<string, string>();
  for (const { path } of regions) {
    const place = findPlace(path, cwd);
    const key = place.ok ? place.path : path;
    if (!named.has(key)) named.set(key, path);
  }
  return [...named.values()];
}

function replaceRegions({ text }: TextFile, regions: readonly ConflictRegion[], content: string): FilePlanned {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const ending = lineEndingOf(text) ?? "\n";
  // From the end, so that the lines of those before stay where they are.
  for (const region of regions.toReversed()) {
    const side = sideOf(region, content);
    if (side !== undefined && !side.ok) return side;
    const isAtEnd = lines[region.endLine - 1]?.endsWith("\n") !== true;
    const replacement = side?.after ?? asLines(withLineEnding(content, ending), isAtEnd ? "" : ending);
    lines.splice(region.startLine - 1, region.endLine - region.startLine + 1, replacement);
  }
  return { ok: true, after: lines.join("") };
}

/** Undefined when the content is a text of its own. */
function sideOf({ id, ours, base, theirs }: ConflictRegion, content: string): FilePlanned | undefined {
  switch (content.trim()) {
    case "@ours":
      return { ok: true, after: ours };
    case "@theirs":
      return { ok: true, after: theirs };
    case "@both":
      return { ok: true, after: ours + theirs };
    case "@base":
      if (base !== undefined) return { ok: true, after: base };
      return {
        ok: false,
        problem: `conflict://${id} does not show its base; write @ours, @theirs, @both or the text.`,
      };
    default:
      return undefined;
  }
}

function asLines(text: string, ending: string): string {
  return text === "" || text.endsWith("\n") ? text : text + ending;
}

async function report(
  made: Extract<MadeSet, { ok: true }>,
  { id, conflicts }: Resolution,
  { cwd }: ToolContext,
): Promise<ToolOutput> {
  const left = made.files.flatMap(({ wish, step }) => {
    const path = resolve(cwd, wish.filePath);
    return step.kind === "replace" ? conflicts.record(path, step.after) : [];
  });
  const changed = await reportChangeSet(made, cwd);
  const rest = left.map(({ id, startLine }) => `conflict://${id} (line ${startLine})`);
  const state = rest.length === 0 ? "No conflicts left there." : `Left there: ${rest.join(", ")}.`;
  const metadata = id === "all" ? { ...changed.metadata, destructive: true } : { ...changed.metadata };
  return { ...changed, output: `${changed.output}\n${state}`, metadata };
}

function count(things: readonly unknown[], noun: string): string {
  return `${things.length} ${noun}${things.length === 1 ? "" : "s"}`;
}
