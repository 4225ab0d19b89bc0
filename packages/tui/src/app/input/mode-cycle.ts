/** Which permission mode comes next by key. No mode is ever lost by going through them. */
import type { PermissionMode } from "@kedge/protocol";

/** The others are chosen by name or at startup, and join once they were in force. */
const cycledModes: readonly PermissionMode[] = ["default", "accept-edits", "plan"];

export interface ModeCycle {
  /** The next one in the round. */
  next(session: SessionMode): PermissionMode;
  /** Into planning, and back to the mode before it. */
  togglePlan(session: SessionMode): PermissionMode;
}

type SessionMode = { readonly id: string; readonly mode: PermissionMode };

export function createModeCycle(): ModeCycle {
  let sessionId = "";
  let joined: PermissionMode | undefined;
  let beforePlan: PermissionMode = "default";

  function notice({ id, mode }: SessionMode): void {
    if (id !== sessionId) {
      sessionId = id;
      joined = undefined;
      beforePlan = "default";
    }
    if (!cycledModes.includes(mode)) joined = mode;
    if (mode !== "plan") beforePlan = mode;
  }

  return {
    next(session) {
      notice(session);
      const round = joined === undefined ? cycledModes : [...cycledModes, joined];
      return round[(round.indexOf(session.mode) + 1) % round.length] ?? "default";
    },
    togglePlan(session) {
      notice(session);
      return session.mode === "plan" ? beforePlan : "plan";
    },
  };
}
