/** Who belongs to a team: those at work, those that have ended, and the file that says so to others. */
import {
  colorOf,
  leaderName,
  type MemberState,
  type TeamFile,
  type TeamMember,
  type TeamPaths,
} from "@kedge/agents/teams";
import { replaceFile } from "../machine/replace-file.ts";
import { leaderText } from "./member-outfit.ts";
import type { LiveMember } from "./team-member.ts";
import type { TeamRegistry, TeamSeat } from "./team-registry.ts";

export type KnownMember = { readonly info: TeamMember; readonly publicKey: string };

export type RosterMember = { info: TeamMember; readonly publicKey: string; readonly live: LiveMember };

export type RosterParts = {
  readonly paths: TeamPaths;
  readonly head: Omit<TeamFile, "members" | "endedAt" | "attach">;
  readonly registry: TeamRegistry;
  /** The list of the team, as the leader may change it. */
  readonly tasks: TeamSeat["tasks"];
  readonly now: () => number;
};

export interface TeamRoster {
  file(): TeamFile;
  find(name: string): RosterMember | undefined;
  /** Also one that has ended: its last words may still be on their way. */
  known(name: string): KnownMember | undefined;
  list(): readonly RosterMember[];
  /** False for a name that somebody has or had: it is used once in a team. Members are listed in this order. */
  reserve(name: string): boolean;
  /** Nobody came under that name. */
  giveBack(name: string): void;
  nextColor(): string;
  join(member: RosterMember, attach: string | undefined): void;
  change(name: string, state: MemberState): void;
  leave(name: string, why: string): void;
  /** False where it had ended already. */
  end(): boolean;
}

export function createRoster({ paths, head, registry, tasks, now }: RosterParts): TeamRoster {
  const members = new Map<string, RosterMember>();
  const ended = new Map<string, KnownMember>();
  /** Also of those that are being started. */
  const names = new Set<string>();
  let attach: string | undefined;
  let endedAt: number | undefined;
  let version = 0;

  function file(): TeamFile {
    return {
      ...head,
      ...(attach !== undefined && { attach }),
      ...(endedAt !== undefined && { endedAt }),
      members: [...names].flatMap((name) => (members.get(name) ?? ended.get(name))?.info ?? []),
    };
  }

  const save = () => replaceFile(paths.file, `${JSON.stringify(file(), undefined, 1)}\n`);

  /** The leader is told who is there. */
  function changed(): void {
    save();
    if (endedAt !== undefined) return;
    version += 1;
    const said = { text: leaderText(head.name, [...members.keys()]), version: `${head.createdAt} ${version}` };
    registry.seat(head.leader.sessionId, { team: head.name, member: leaderName, tasks, text: () => said });
  }

  changed();
  return {
    file,
    find: (name) => members.get(name),
    known: (name) => members.get(name) ?? ended.get(name),
    list: () => [...members.values()],
    reserve(name) {
      const isFree = !names.has(name);
      names.add(name);
      return isFree;
    },
    giveBack: (name) => void names.delete(name),
    nextColor: () => colorOf(members.size + ended.size),
    join(member, shownBy) {
      members.set(member.info.name, member);
      attach ??= shownBy;
      changed();
    },
    change(name, state) {
      const known = members.get(name);
      if (known === undefined || known.info.state === state) return;
      known.info = { ...known.info, state };
      save();
    },
    leave(name, why) {
      const known = members.get(name);
      if (known === undefined) return;
      members.delete(name);
      ended.set(name, { info: { ...known.info, state: "ended", why }, publicKey: known.publicKey });
      changed();
    },
    end() {
      if (endedAt !== undefined) return false;
      endedAt = now();
      registry.leave(head.leader.sessionId);
      save();
      return true;
    },
  };
}
