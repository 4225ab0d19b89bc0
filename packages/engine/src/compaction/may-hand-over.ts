/** Whether the work of a session may move to another one by itself: only where a client can follow. */
import type { EngineParts } from "../parts.ts";

/** An agent is followed by its parent, and a one-shot by nobody. */
export function mayHandOver({ interactive, agent, conversation }: EngineParts): boolean {
  return interactive && agent === undefined && conversation?.staysInSession !== true;
}
