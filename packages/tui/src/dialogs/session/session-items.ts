/** Sessions as rows of a list: by day, forks under what they were forked from, with what each one is doing. */
import type { SessionStatus, SessionSummary } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import type { Symbols } from "../../theme/theme.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { ageText } from "../text/age-text.ts";
import { placeText } from "../text/place-text.ts";

export type SessionItemsPlace = {
  readonly statuses: { readonly [sessionId: string]: SessionStatus };
  readonly current: string | undefined;
  /** Sessions of other directories show theirs. */
  readonly directory: string;
  readonly now: number;
  readonly symbols: Symbols;
};

type Member = { readonly session: SessionSummary; readonly depth: number };
type Family = { readonly members: readonly Member[]; readonly youngest: number };

const dayMs = 86_400_000;
const weekDays = 7;

export const stateWords: { readonly [State in SessionStatus["state"]]: string } = {
  idle: "",
  busy: "running",
  retry: "retrying",
  waiting: "waiting",
};

/** A family stands where its youngest member belongs. */
export function sessionItems(
  sessions: readonly SessionSummary[],
  place: SessionItemsPlace,
): readonly ListItem<SessionSummary>[] {
  const days = dayStarts(place.now);
  const places = new Map<string, string>();
  const placeOf = (directory: string) => {
    const known = places.get(directory) ?? placeText(directory, place.symbols.ellipsis);
    places.set(directory, known);
    return known;
  };
  return familiesOf(sessions).flatMap(({ members, youngest }) => {
    const group = days.find(({ from }) => youngest >= from)?.name ?? "Older";
    return members.map((member) => sessionItem(member, { place, group, placeOf }));
  });
}

function sessionItem(
  { session, depth }: Member,
  row: {
    readonly place: SessionItemsPlace;
    readonly group: string;
    readonly placeOf: (directory: string) => string;
  },
): ListItem<SessionSummary> {
  const { place, group, placeOf } = row;
  const { symbols, now, directory, current } = place;
  const state = stateWords[place.statuses[session.sessionId]?.state ?? "idle"];
  const fork = depth === 0 ? "" : `${"  ".repeat(depth - 1)}${symbols.bottomLeft}${symbols.horizontal} `;
  const notes = [
    ...(session.sessionId === current ? ["current"] : []),
    ...(session.isArchived ? ["archived"] : []),
    ...(session.directory === directory ? [] : [placeOf(session.directory)]),
  ];
  return {
    value: session,
    label: fork + (cleanLine(session.title) || `Untitled ${session.sessionId}`),
    right: state === "" ? ageText(now - session.updatedAt) : state,
    group,
    // Few, as in many words nearly every order of letters is found.
    keywords: notes.join(" "),
    ...(notes.length > 0 && { detail: notes.join(` ${symbols.separator} `) }),
  };
}

/** The youngest family first, inside of one the parent before its forks. Who names a parent in vain is on its own. */
function familiesOf(sessions: readonly SessionSummary[]): readonly Family[] {
  const known = new Set(sessions.map(({ sessionId }) => sessionId));
  const isRoot = ({ parentId }: SessionSummary) => parentId === undefined || !known.has(parentId);
  const children = Map.groupBy(
    sessions.filter((session) => !isRoot(session)),
    ({ parentId }) => parentId,
  );
  const placed = new Set<string>();
  const familyFrom = (root: SessionSummary): Family => {
    const members: Member[] = [];
    let youngest = root.updatedAt;
    const open: Member[] = [{ session: root, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { session, depth } = next;
      if (placed.has(session.sessionId)) continue;
      placed.add(session.sessionId);
      members.push(next);
      youngest = Math.max(youngest, session.updatedAt);
      const forks = children.get(session.sessionId)?.toSorted(oldestFirst) ?? [];
      open.push(...forks.map((fork) => ({ session: fork, depth: depth + 1 })));
    }
    return { members, youngest };
  };
  // Sessions that name each other as parents have no root; each then begins a family of its own.
  return [...sessions.filter(isRoot), ...sessions]
    .flatMap((root) => (placed.has(root.sessionId) ? [] : [familyFrom(root)]))
    .toSorted((left, right) => right.youngest - left.youngest);
}

/** They are taken from the end, so the youngest comes first. */
function oldestFirst(left: SessionSummary, right: SessionSummary): number {
  return left.updatedAt - right.updatedAt;
}

/** The youngest first. */
function dayStarts(now: number): readonly { readonly name: string; readonly from: number }[] {
  const today = startOfDay(now);
  // Days in which clocks change are shorter or longer, so the day before is found by its noon.
  return [
    { name: "Today", from: today },
    { name: "Yesterday", from: startOfDay(today - dayMs / 2) },
    { name: "This week", from: startOfDay(today - (weekDays - 1.5) * dayMs) },
  ];
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
