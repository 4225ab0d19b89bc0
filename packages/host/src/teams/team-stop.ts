/** Ends the members of a team: by asking each of them, or at once. */
import type { ProtocolMessage, ShutdownAnswer } from "@kedge/agents/teams";
import type { RosterMember, TeamRoster } from "./team-roster.ts";

export type StopReport = {
  readonly ended: readonly string[];
  readonly rejected: readonly { readonly name: string; readonly reason: string }[];
};

export type StopParts = {
  readonly roster: Pick<TeamRoster, "find" | "list">;
  readonly send: (to: string, message: ProtocolMessage) => Promise<void>;
  readonly newId: () => string;
};

interface TeamStop {
  /** Asks everybody at once; whoever rejects stays, unless it is forced. */
  stop(wish: { readonly force: boolean; readonly reason: string }): Promise<StopReport>;
  /** A worker answered; an answer to nothing is dropped. */
  answered(name: string, requestId: string, answer: ShutdownAnswer): void;
  /** It is gone, and needs not answer any more. */
  forget(name: string): void;
}

type Asked = { readonly name: string; readonly answer: PromiseWithResolvers<ShutdownAnswer> };
type Outcome = { readonly name: string; readonly reason?: string };

export function createTeamStop({ roster, send, newId }: StopParts): TeamStop {
  const asked = new Map<string, Asked>();

  async function ask({ info: { name }, live }: RosterMember, reason: string): Promise<Outcome> {
    const requestId = newId();
    const answer = Promise.withResolvers<ShutdownAnswer>();
    asked.set(requestId, { name, answer });
    try {
      await send(name, { type: "shutdown_request", requestId, reason });
      const given = await answer.promise;
      if (!given.isApproved) return { name, reason: given.reason };
      await live.ended;
      return { name };
    } finally {
      asked.delete(requestId);
    }
  }

  return {
    async stop({ force, reason }) {
      const outcomes = await Promise.all(
        roster.list().map((member) => (force ? killMember(member) : ask(member, reason))),
      );
      return {
        ended: outcomes.filter((outcome) => outcome.reason === undefined).map(({ name }) => name),
        rejected: outcomes.flatMap(({ name, reason: why }) => (why === undefined ? [] : [{ name, reason: why }])),
      };
    },
    answered(name, requestId, answer) {
      const open = asked.get(requestId);
      if (open?.name !== name) return;
      if (answer.isApproved) roster.find(name)?.live.dismissed();
      open.answer.resolve(answer);
    },
    forget(name) {
      for (const each of asked.values()) if (each.name === name) each.answer.resolve({ isApproved: true, reason: "" });
    },
  };
}

export async function killMember({ info, live }: RosterMember): Promise<Outcome> {
  await live.kill();
  await live.ended;
  return { name: info.name };
}
