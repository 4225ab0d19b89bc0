/** Sessions in families, forks below what they were forked from, by the day of the youngest member. */

import type { SessionStatus, SessionSummary } from "@kedge/protocol";
import { sessionTexts } from "../../texts/dialogs.ts";

export type FamilyMember = { readonly session: SessionSummary; readonly depth: number };
type Family = { readonly members: readonly FamilyMember[]; readonly youngest: number };

/** `group` is the day of the youngest member. */
export type SessionFamily = { readonly members: readonly FamilyMember[]; readonly group: string };

const dayMs = 86_400_000;
const weekDays = 7;

export const stateWords: { readonly [State in SessionStatus["state"]]: string } = {
  idle: "",
  busy: sessionTexts.running,
  retry: sessionTexts.retrying,
  waiting: sessionTexts.waiting,
};

/** The youngest family first. A family stands where its youngest member belongs. */
export function sessionFamilies(sessions: readonly SessionSummary[], now: number): readonly SessionFamily[] {
  const days = dayStarts(now);
  return familiesOf(sessions).map(({ members, youngest }) => {
    return { members, group: days.find(({ from }) => youngest >= from)?.name ?? sessionTexts.older };
  });
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
    const members: FamilyMember[] = [];
    let youngest = root.updatedAt;
    const open: FamilyMember[] = [{ session: root, depth: 0 }];
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
    { name: sessionTexts.today, from: today },
    { name: sessionTexts.yesterday, from: startOfDay(today - dayMs / 2) },
    { name: sessionTexts.thisWeek, from: startOfDay(today - (weekDays - 1.5) * dayMs) },
  ];
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
