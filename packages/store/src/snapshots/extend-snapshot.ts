/** Adds to a tree what somebody asked for besides the files that git sees: ignored ones, and where the refs are. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { TrackOptions } from "@kedge/protocol";
import { collectAlso } from "./also-files.ts";
import { type Coverage, coverageName, everything, indexName, readCoverage, refsName } from "./coverage.ts";
import { type GitOutcome, nameOf } from "./git-process.ts";
import { keepObjects } from "./kept-objects.ts";
import type { Shadow } from "./shadow-directory.ts";
import { extendTree, ignoredNames, type TakenTree, type TreeNote } from "./take-tree.ts";
import { notesOf } from "./tree-files.ts";
import { readUserIndex } from "./user-index.ts";
import { parseUserRefs, readUserRefs, type UserRefs, valuesOf } from "./user-refs.ts";
import { readIfFile, type UserRepository } from "./user-repository.ts";

export type Extending = {
  readonly shadow: Shadow;
  readonly repository: UserRepository | undefined;
  readonly signal: AbortSignal;
};

export type Extended =
  | { readonly kind: "extended"; readonly tree: string; readonly uncovered: readonly string[] }
  | Exclude<GitOutcome, { kind: "done" }>;

/** What stands for the refs among the names of what is not covered. */
const refsOfRepository = ".git/refs";

export async function extendSnapshot(
  extending: Extending,
  taken: Pick<TakenTree, "tree" | "folders">,
  wish: TrackOptions,
): Promise<Extended> {
  const { shadow, signal } = extending;
  const earlier = await heldBy(shadow, wish.asIn ?? []);
  const isPlain = wish.also === undefined && wish.refs === undefined;
  if (isPlain && earlier.length === 0) return { kind: "extended", tree: taken.tree, uncovered: [] };
  const named = earlier.flatMap(({ coverage }) => coverage.covered);
  const own = typeof wish.also === "object" ? wish.also : [];
  const isAll = wish.also === "all-ignored" || named.includes(everything);
  const listed = isAll ? await ignoredNames(shadow, signal) : ({ kind: "listed", names: [] } as const);
  if (listed.kind !== "listed") return listed;
  // What an earlier tree holds comes first, so that limits never part the two.
  const names = [...named.filter((name) => name !== everything), ...own, ...listed.names];
  const also = await collectAlso(shadow.place.root, names);
  const coverage = isAll ? { ...also.coverage, covered: [everything, ...also.coverage.covered] } : also.coverage;
  const refs = await noteRefs(extending, { wish: wish.refs, earlier: earlier.flatMap((one) => one.refs ?? []) });
  const extended = await extendTree(shadow, { taken, also: { ...also, coverage }, notes: refs.notes, signal });
  if (extended.kind !== "done") return extended;
  const uncovered = refs.isCovered ? coverage.uncovered : [...coverage.uncovered, refsOfRepository];
  return { kind: "extended", tree: nameOf(extended), uncovered };
}

type NotedRefs = { readonly notes: readonly TreeNote[]; readonly isCovered: boolean };

type WantedRefs = { readonly wish: TrackOptions["refs"]; readonly earlier: readonly UserRefs[] };

async function noteRefs(extending: Extending, { wish, earlier }: WantedRefs): Promise<NotedRefs> {
  const { shadow, repository, signal } = extending;
  if (repository === undefined || (wish === undefined && earlier.length === 0)) return { notes: [], isCovered: true };
  const present = await readUserRefs(repository);
  if (present === undefined) return { notes: [], isCovered: false };
  const index = await readUserIndex(repository);
  const notes = [
    { name: refsName, content: Buffer.from(JSON.stringify(present)) },
    ...(index === undefined ? [] : [{ name: indexName, content: index }]),
  ];
  const held = valuesOf(present);
  const keeping = { place: shadow.place, repository, signal };
  if (wish === "kept") {
    const tips = [...held, ...(await loggedValues(repository))];
    const published = Object.entries(present.refs).flatMap(([name, value]) =>
      name.startsWith("refs/remotes/") ? [value] : [],
    );
    return { notes, isCovered: await keepObjects(keeping, { tips, held: published }) };
  }
  const lost = new Set(earlier.flatMap((refs) => [...valuesOf(refs)]).filter((value) => !held.has(value)));
  return { notes, isCovered: await keepObjects(keeping, { tips: lost, held }) };
}

type Held = { readonly coverage: Coverage; readonly refs?: UserRefs };

/** Of the trees that hold more than git sees, what they hold. */
async function heldBy({ place }: Shadow, trees: readonly string[]): Promise<readonly Held[]> {
  const coverages = await notesOf(place, trees, coverageName);
  const wide = trees.filter((_, index) => coverages[index] !== undefined);
  const refs = await notesOf(place, wide, refsName);
  return coverages
    .flatMap((note) => (note === undefined ? [] : [readCoverage(note)]))
    .map((coverage, index) => {
      const note = refs[index];
      return { coverage, ...(note !== undefined && { refs: parseUserRefs(note) }) };
    });
}

/** Of each log the newest; older ones are seldom the only hold of a commit. */
const loggedLinesMax = 200;

async function loggedValues({ own, common }: UserRepository): Promise<readonly string[]> {
  const entries = await readdir(join(common, "logs"), { recursive: true, withFileTypes: true }).catch(() => []);
  const logs = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all([...new Set([...logs, join(own, "logs", "HEAD")])].map(readIfFile));
  return texts.flatMap((text) =>
    (text ?? "")
      .trim()
      .split("\n")
      .slice(-loggedLinesMax)
      .flatMap((line) => line.split(" ", 2))
      .filter((value) => /^[0-9a-f]{40,64}$/.test(value) && !/^0+$/.test(value)),
  );
}
