/** What the leader of a team is told while it leads one, and that it no longer does. */
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import type { TeamRegistry } from "./team-registry.ts";

const none: readonly ContextBlock[] = [];

export function createTeamSource(registry: TeamRegistry): ContextSource {
  return {
    name: "team",
    kind: "instruction",
    place: "turn",
    read({ state: { sessionId }, shown }) {
      if (!registry.hasLed(sessionId)) return none;
      const said = registry.find(sessionId)?.text?.();
      if (said !== undefined) return [{ text: said.text, origin: "team", hash: said.version }];
      return shown("team") === undefined
        ? none
        : [
            {
              text: "Your team has ended. It has no members, and tasks are those of the project again.",
              origin: "team",
              hash: "ended",
            },
          ];
    },
  };
}
