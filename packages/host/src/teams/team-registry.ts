/** Which sessions of this process belong to a team. Part of every start, so it holds next to nothing. */
import type { TaskList } from "@kedge/tools";

export type TeamSeat = {
  readonly team: string;
  /** `leader`, or the name of the member. */
  readonly member: string;
  /** The list of the team, as this member may change it. */
  readonly tasks: TaskList;
  /** What its leader is told while there is a team; absent for members, whose prompt says it. */
  readonly text?: () => { readonly text: string; readonly version: string };
};

export interface TeamRegistry {
  find(sessionId: string): TeamSeat | undefined;
  /** Whether the session ever led a team here. */
  hasLed(sessionId: string): boolean;
  seat(sessionId: string, seat: TeamSeat): void;
  leave(sessionId: string): void;
}

export function createTeamRegistry(): TeamRegistry {
  const seats = new Map<string, TeamSeat>();
  const led = new Set<string>();
  return {
    find: (sessionId) => seats.get(sessionId),
    hasLed: (sessionId) => led.has(sessionId),
    seat(sessionId, seat) {
      seats.set(sessionId, seat);
      if (seat.text !== undefined) led.add(sessionId);
    },
    leave: (sessionId) => void seats.delete(sessionId),
  };
}

/** Tasks of the project, or of its team while the session belongs to one. */
export function tasksOf(sessionId: string, own: TaskList, registry: TeamRegistry): TaskList {
  const current = () => registry.find(sessionId)?.tasks ?? own;
  return { read: () => current().read(), change: (change) => current().change(change) };
}
