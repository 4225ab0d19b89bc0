/** What the requests of a session begin with, so that another one can continue from there and be served from its cache. */
import type { ModelRequest } from "./model.ts";

/**
 * The very values of a session at one moment, not made anew: whatever begins with them sends the same bytes. The
 * messages end with an answer that asks for nothing.
 */
export type RequestPrefix = Pick<ModelRequest, "conversationId" | "system" | "systemTail" | "tools" | "messages">;
