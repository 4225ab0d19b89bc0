/** Sessions as rows of a list: by day, forks under what they were forked from, with what each one is doing. */

import type { SessionStatus, SessionSummary } from "@kedge/protocol";
import { cleanLine } from "../../screen/clean-text.ts";
import { sessionTexts } from "../../texts/dialogs.ts";
import type { Symbols } from "../../theme/theme.ts";
import type { ListItem } from "../list/list-dialog.ts";
import { ageText } from "../text/age-text.ts";
import { placeText } from "../text/place-text.ts";
import { type FamilyMember, sessionFamilies, stateWords } from "./session-families.ts";

export type SessionItemsPlace = {
  readonly statuses: { readonly [sessionId: string]: SessionStatus };
  readonly current: string | undefined;
  /** Sessions of other directories show theirs. */
  readonly directory: string;
  readonly now: number;
  readonly symbols: Symbols;
};

/** A family stands where its youngest member belongs. */
export function sessionItems(
  sessions: readonly SessionSummary[],
  place: SessionItemsPlace,
): readonly ListItem<SessionSummary>[] {
  const places = new Map<string, string>();
  const placeOf = (directory: string) => {
    const known = places.get(directory) ?? placeText(directory, place.symbols.ellipsis);
    places.set(directory, known);
    return known;
  };
  return sessionFamilies(sessions, place.now).flatMap(({ members, group }) =>
    members.map((member) => sessionItem(member, { place, group, placeOf })),
  );
}

function sessionItem(
  { session, depth }: FamilyMember,
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
    ...(session.sessionId === current ? [sessionTexts.current] : []),
    ...(session.isArchived ? [sessionTexts.archived] : []),
    ...(session.directory === directory ? [] : [placeOf(session.directory)]),
  ];
  return {
    value: session,
    label: fork + (cleanLine(session.title) || sessionTexts.untitled(session.sessionId)),
    right: state === "" ? ageText(now - session.updatedAt) : state,
    group,
    // Few, as in many words nearly every order of letters is found.
    keywords: notes.join(" "),
    ...(notes.length > 0 && { detail: notes.join(` ${symbols.separator} `) }),
  };
}
