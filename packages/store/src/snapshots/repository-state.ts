/** What a tree tells of the user's repository besides its files, how two trees differ in it, and how it is put back. */
import { indexName, refsName } from "./coverage.ts";
import type { GitPlace } from "./git-process.ts";
import { bringBackObjects } from "./kept-objects.ts";
import { notesOf } from "./tree-files.ts";
import { isSameIndex, putBackIndex, userIndexName } from "./user-index.ts";
import { differingRefs, parseUserRefs, putBackRefs, type UserRefs, valuesOf } from "./user-refs.ts";
import type { UserRepository } from "./user-repository.ts";

type RepositoryState = { readonly refs: UserRefs; readonly index?: Buffer };

/** Names of refs, of the stash and of the index. */
export async function changedState(place: GitPlace, before: string, after: string): Promise<readonly string[]> {
  const [from, to] = await statesOf(place, [before, after]);
  if (from === undefined || to === undefined) return [];
  const names = differingRefs(from.refs, to.refs);
  const isIndexSame = from.index === undefined || to.index === undefined || isSameIndex(from.index, to.index);
  return isIndexSame ? names : [...names, userIndexName];
}

/** Gives back the names of what was left, because somebody else changed it since `left`. */
export async function restoreState(
  { place, repository }: { readonly place: GitPlace; readonly repository: UserRepository | undefined },
  tree: string,
  left: string,
): Promise<readonly string[]> {
  const [from, to] = await statesOf(place, [left, tree]);
  if (from === undefined || to === undefined || repository === undefined) return [];
  await bringBackObjects({ place, repository }, [...valuesOf(to.refs)]);
  const user = { ...place, gitDirectory: repository.own };
  const kept = await putBackRefs(user, repository, { from: from.refs, to: to.refs });
  if (from.index === undefined || to.index === undefined || isSameIndex(from.index, to.index)) return kept;
  const isBack = await putBackIndex(user, repository, { from: from.index, to: to.index });
  return isBack ? kept : [...kept, userIndexName];
}

async function statesOf(place: GitPlace, trees: readonly string[]): Promise<readonly (RepositoryState | undefined)[]> {
  const refs = await notesOf(place, trees, refsName);
  const indexes = await notesOf(place, trees, indexName);
  return refs.map((note, number) => {
    const index = indexes[number];
    return note && { refs: parseUserRefs(note), ...(index !== undefined && { index }) };
  });
}
