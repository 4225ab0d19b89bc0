/** The instruction files of one session as they are now: looked at again with every prompt, read again when one changed. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionState } from "@kedge/protocol";
import { discoverInstructions, walkOf } from "./discover.ts";
import type { InstructionEntry } from "./instruction-entry.ts";
import type { InstructionParts } from "./instruction-parts.ts";
import { watchedFolders } from "./instruction-places.ts";
import { absent, loadInstructions } from "./load-instructions.ts";
import { createNested } from "./nested-instructions.ts";
import { shadowEntries } from "./shadow-entries.ts";
import { createTouchedPaths } from "./touched-paths.ts";

export type LoadedInstructions = {
  /** Brings everything up to date with the disk and the conversation; costs next to nothing within one turn. */
  refresh(state: SessionState): void;
  /** Everything that was found at the start of the walk, in load order. */
  entries(): readonly InstructionEntry[];
  /** What joined because the conversation touched a file: nested files and rules, in the order in which they joined. */
  attached(): readonly InstructionEntry[];
  /** Of both: what is shown as data. */
  data(): readonly InstructionEntry[];
  /** Another one with every prompt of the user. */
  turn(): string;
};

export function createLoadedInstructions(parts: InstructionParts): LoadedInstructions {
  const { places } = parts;
  const touched = createTouchedPaths(places.cwd);
  let entries: readonly InstructionEntry[] = [];
  let turn: string | undefined;
  let boundary: string | undefined;
  let watched: readonly string[] = [];
  let versions = "";
  /** The conversation as it was looked at last, unless something waited to be said. */
  let seen: SessionState["items"] | undefined;
  let seenCount = 0;
  const nested = createNested(parts, touched, () => entries);

  function load(): void {
    entries = loadAll(parts);
    nested.forget();
    watched = watchListOf(entries, parts);
    versions = versionsOf(watched);
  }

  /** What lies deeper has joined since. */
  function watchNested(): void {
    const found = nested.take();
    if (found.length === 0) return;
    watched = [...new Set([...watched, ...found.map(({ path }) => path)])];
    versions = versionsOf(watched);
  }

  return {
    entries: () => entries,
    attached: nested.attached,
    data: nested.data,
    turn: () => turn ?? "",
    refresh(state) {
      // Several sources ask at each step.
      const { items, queue } = state;
      if (queue.length === 0 && items === seen && items.length === seenCount) return;
      const isOther = touched.look(state);
      const now = turnOf(state, touched.lastPrompt());
      const first = state.items[0];
      const start = first?.type === "compaction" ? first.id : "";
      if (turn === undefined || start !== boundary) load();
      else if (now !== turn && versionsOf(watched) !== versions) load();
      if (isOther) nested.forget();
      turn = now;
      boundary = start;
      watchNested();
      seen = queue.length === 0 ? items : undefined;
      seenCount = items.length;
    },
  };
}

/** Everything at the start of a session, in load order. */
export function loadAll(parts: InstructionParts): readonly InstructionEntry[] {
  const { places, settings, remote = [] } = parts;
  const { root, home } = places;
  const loaded = loadInstructions(discoverInstructions(places, settings), { ...parts, root, home });
  const sole = withNearestSticky(loaded);
  const shadowed = settings.shadowing === "per-depth" ? shadowEntries(sole, root) : sole;
  if (remote.length === 0) return shadowed;
  const at = shadowed.findIndex(({ tier }) => tier !== "managed");
  return at === -1 ? [...shadowed, ...remote] : [...shadowed.slice(0, at), ...remote, ...shadowed.slice(at)];
}

/** Of the project's sticky rules only the nearest that say anything count. */
function withNearestSticky(entries: readonly InstructionEntry[]): readonly InstructionEntry[] {
  const isOfProject = ({ form, tier, status }: InstructionEntry) =>
    form === "sticky" && tier === "project" && status !== "not-loaded";
  const nearest = entries.findLast(isOfProject);
  return entries.map((entry) =>
    isOfProject(entry) && entry.directory !== nearest?.directory
      ? absent(entry, "overridden by a nearer RULES.md")
      : entry,
  );
}

/** The prompt that the next step answers. */
function turnOf({ queue, runId }: SessionState, lastPrompt: string | undefined): string {
  const run = runId ?? queue[0]?.runId;
  const waiting = queue.findLast((prompt) => prompt.delivery === "steer" || prompt.runId === run);
  return waiting?.promptId ?? lastPrompt ?? "";
}

/** Files that are there, and folders in which one may appear. */
function watchListOf(entries: readonly InstructionEntry[], { places, settings }: InstructionParts): readonly string[] {
  const levels = walkOf(places, settings);
  const folders = levels.flatMap((level) => [level, ...watchedFolders.map((folder) => join(level, folder))]);
  const own = [places.kedgeHome, join(places.kedgeHome, "rules"), places.managed];
  const files = entries.filter(({ source }) => source !== "remote").map(({ path }) => path);
  const besideNamed = entries.filter(({ namedBy }) => namedBy !== undefined).map(({ path }) => dirname(path));
  return [...new Set([...folders, ...own, ...files, ...besideNamed])];
}

function versionsOf(paths: readonly string[]): string {
  return paths.map(versionOf).join(" ");
}

function versionOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? "-" : `${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}:${stats.ino}`;
  } catch {
    return "?";
  }
}
