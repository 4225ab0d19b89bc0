/** A teammate that plans first: it stays in plan mode until its plan is approved, and then works in the mode of its leader. */
import type { Engine } from "@kedge/engine";
import type { PermissionMode } from "@kedge/protocol";
import { findOpen } from "./team-parts.ts";

/** Modes that ask nobody are chosen by a person for a session, and a plan approved is no such choice. */
export function modeAfterPlanning(leader: PermissionMode): PermissionMode {
  return leader === "bypass" || leader === "auto" ? "default" : leader;
}

export function isPlanning(engine: Engine, sessionId: string): boolean {
  return findOpen(engine, sessionId)?.state.mode === "plan";
}

/** Ends with the first approved plan. */
export function followPlanning(engine: Engine, sessionId: string, leaderMode: () => PermissionMode): () => void {
  const unfollow = engine.subscribe(sessionId, (event) => {
    if (event.kind !== "fact" || event.record.fact.type !== "mode.changed") return;
    const { mode } = event.record.fact;
    if (mode === "plan") return;
    unfollow();
    const wanted = modeAfterPlanning(leaderMode());
    if (wanted === mode || wanted === "plan") return;
    void engine.send<"mode.change">({ type: "mode.change", sessionId, mode: wanted }).catch(() => undefined);
  });
  return unfollow;
}
