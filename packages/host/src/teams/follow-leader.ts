/** What a person changes in the session of a leader counts for its workers in other processes too. */
import type { ProtocolMessage } from "@kedge/agents/teams";
import type { Engine } from "@kedge/engine";

export function followLeader(engine: Engine, leaderId: string, tell: (message: ProtocolMessage) => void): () => void {
  return engine.subscribe(leaderId, (event) => {
    if (event.kind !== "fact") return;
    const { fact } = event.record;
    if (fact.type === "mode.changed") tell({ type: "mode_set", mode: fact.mode });
    else if (fact.type === "permission.answered" && fact.grants.length > 0)
      tell({ type: "team_permission_update", rules: fact.grants });
  });
}
