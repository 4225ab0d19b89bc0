/** Remembers under short numbers the merge conflicts that the model was shown, for the time of a session. */
import { findMarkedRegions, type MarkedRegion } from "./conflict-markers.ts";

export type ConflictRegion = MarkedRegion & { readonly id: number; readonly path: string };

export interface Conflicts {
  /** Call with the whole present text of a file. A region that is still there keeps its number. */
  record(path: string, text: string): readonly ConflictRegion[];
  /** As it stood in the text that was recorded last. */
  find(id: number): ConflictRegion | undefined;
  /** In the order of files as they were first recorded, and of lines. */
  list(): readonly ConflictRegion[];
  /** Their numbers go to no other region, also not to an equal one further down. */
  forget(ids: readonly number[]): void;
}

export function createConflicts(): Conflicts {
  const regionsByPath = new Map<string, readonly ConflictRegion[]>();
  let lastId = 0;

  const list = () => [...regionsByPath.values()].flat();

  return {
    record(path, text) {
      const marked = findMarkedRegions(text);
      if (marked.length === 0) {
        regionsByPath.delete(path);
        return [];
      }
      const known = Map.groupBy(regionsByPath.get(path) ?? [], sidesOf);
      const regions = marked.map((region) => {
        const id = known.get(sidesOf(region))?.shift()?.id ?? ++lastId;
        return { id, path, ...region };
      });
      regionsByPath.set(path, regions);
      return regions;
    },
    find: (id) => list().find((region) => region.id === id),
    list,
    forget(ids) {
      for (const [path, regions] of regionsByPath) {
        const left = regions.filter(({ id }) => !ids.includes(id));
        if (left.length === 0) regionsByPath.delete(path);
        else regionsByPath.set(path, left);
      }
    },
  };
}

export function selectRegions(conflicts: Conflicts, id: number | "all"): readonly ConflictRegion[] {
  if (id === "all") return conflicts.list();
  const region = conflicts.find(id);
  return region === undefined ? [] : [region];
}

/** Equal for one region before and after lines were added above it. */
function sidesOf({ ours, base, theirs, oursLabel, theirsLabel }: MarkedRegion): string {
  return JSON.stringify([ours, base ?? null, theirs, oursLabel, theirsLabel]);
}
