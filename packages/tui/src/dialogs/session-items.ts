/** Sessions as rows of a list: by day, forks under what they were forked from, with what each one is doing. */
import type { SessionStatus, SessionSummary } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import type { Symbols } from "../theme/theme.ts";
import { ageText } from "./age-text.ts";
import type { ListItem } from "./list-dialog.ts";
import { placeText } from "./place-text.ts";

export type SessionItemsPlace = {
  readonly statuses: { readonly [sessionId: string]: SessionStatus };
  readonly current: string | undefined;
  /** Sessions of other directories show theirs. */
  readonly directory: string;
  readonly now: number;
  readonly symbols: Symbols;
};

type Family = { readonly session: SessionSummary; readonly depth: number };

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
  const today = startOfDay(place.now);
  return familiesOf(sessions).flatMap((family) => {
    const youngest = Math.max(...family.map(({ session }) => session.updatedAt));
    const group = dayGroup(youngest, today);
    return family.map(({ session, depth }) => sessionItem(session, { ...place, depth, group }));
  });
}

function sessionItem(
  session: SessionSummary,
  place: SessionItemsPlace & { readonly depth: number; readonly group: string },
): ListItem<SessionSummary> {
  const { symbols, depth, group, now, directory, current } = place;
  const state = stateWords[place.statuses[session.sessionId]?.state ?? "idle"];
  const fork = depth === 0 ? "" : `${"  ".repeat(depth - 1)}${symbols.bottomLeft}${symbols.horizontal} `;
  const notes = [
    ...(session.sessionId === current ? ["current"] : []),
    ...(session.isArchived ? ["archived"] : []),
    ...(session.directory === directory ? [] : [placeText(session.directory, symbols.ellipsis)]),
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
function familiesOf(sessions: readonly SessionSummary[]): readonly (readonly Family[])[] {
  const known = new Set(sessions.map(({ sessionId }) => sessionId));
  const children = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const { parentId } = session;
    if (parentId === undefined || !known.has(parentId)) continue;
    const siblings = children.get(parentId);
    if (siblings === undefined) children.set(parentId, [session]);
    else siblings.push(session);
  }
  const placed = new Set<string>();
  const familyFrom = (root: SessionSummary): readonly Family[] => {
    const family: Family[] = [];
    const open: Family[] = [{ session: root, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { session, depth } = next;
      if (placed.has(session.sessionId)) continue;
      placed.add(session.sessionId);
      family.push(next);
      const forks = (children.get(session.sessionId) ?? []).toSorted(oldestFirst);
      open.push(...forks.map((fork) => ({ session: fork, depth: depth + 1 })));
    }
    return family;
  };
  const roots = sessions.filter(({ parentId }) => parentId === undefined || !known.has(parentId));
  // Sessions that name each other as parents have no root; each then begins a family of its own.
  const families = [...roots, ...sessions].map(familyFrom).filter((family) => family.length > 0);
  const youngest = (family: readonly Family[]) => Math.max(...family.map(({ session }) => session.updatedAt));
  return families.toSorted((left, right) => youngest(right) - youngest(left));
}

/** They are taken from the end, so the youngest comes first. */
function oldestFirst(left: SessionSummary, right: SessionSummary): number {
  return left.updatedAt - right.updatedAt;
}

function dayGroup(time: number, today: number): string {
  if (time >= today) return "Today";
  // Days in which clocks change are shorter or longer, so the day before is found by its noon.
  if (time >= startOfDay(today - dayMs / 2)) return "Yesterday";
  return time >= startOfDay(today - (weekDays - 1.5) * dayMs) ? "This week" : "Older";
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
