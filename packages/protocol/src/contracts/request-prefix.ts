/** What the requests of a session begin with, so that another one can continue from there and be served from its cache. */
import type { ModelRequest } from "./model.ts";

/**
 * The very values of a session at one moment, not rebuilt: whatever begins with them sends the same bytes. Calls that
 * have no result yet are closed by a constant text, so that forks of one answer begin alike.
 */
export type RequestPrefix = Pick<
  ModelRequest,
  "conversationId" | "system" | "systemTail" | "tools" | "messages" | "reasoning"
> & {
  /** `provider/model`: the one whose cache has it. */
  readonly model: string;
};

/** Stands in the first message of a fork, and in every summary of its conversation: nothing forks where it stands. */
export const forkMark = "<kedge-fork>";
